import { writeFileSync } from "node:fs";
import { toProviderTable } from "./providers/provider-table.ts";

writeFileSync(new URL("../docs/model-providers.md", import.meta.url), toProviderTable());
