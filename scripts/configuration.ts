import { writeFileSync } from "node:fs";
import { toConfigurationPage } from "./configuration/configuration-page.ts";

writeFileSync(new URL("../docs/configuration.md", import.meta.url), toConfigurationPage());
