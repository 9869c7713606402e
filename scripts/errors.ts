import { writeFileSync } from "node:fs";
import { toErrorsPage } from "./errors/errors-page.ts";

writeFileSync(new URL("../docs/errors.md", import.meta.url), toErrorsPage());
