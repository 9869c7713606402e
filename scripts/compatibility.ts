import { writeFileSync } from "node:fs";
import { toCompatibilityPage } from "./compatibility/compatibility-page.ts";

writeFileSync(new URL("../docs/compatibility.md", import.meta.url), toCompatibilityPage());
