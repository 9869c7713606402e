import { writeFileSync } from "node:fs";
import { toDecisionsPage } from "./decisions/decisions-page.ts";

writeFileSync(new URL("../docs/decisions/README.md", import.meta.url), toDecisionsPage());
