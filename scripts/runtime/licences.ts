import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { toLicenceTable } from "./runtime-packages.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
writeFileSync(join(root, "docs/licences.md"), toLicenceTable(root));
