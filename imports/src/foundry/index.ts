export { importFoundry } from "./import-foundry.ts";
export { isFoundryFile } from "./recognise-file.ts";
