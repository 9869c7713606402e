// Runs one of the server's commands: `node scripts/command.mjs cli doctor --json`, `node scripts/command.mjs workbench …`.
// From the bundle that the last start made, where the sources are still the same: in half the time. Else from its sources.
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { entries, findServerBundle } from "./server-bundle.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const [, , name = ""] = process.argv;
if (!Object.hasOwn(entries, name)) throw new Error(`Name one of ${Object.keys(entries).join(", ")}, not "${name}".`);

const file = findServerBundle(root, name) ?? join(root, entries[name]);
process.argv.splice(1, 2, file);
await import(pathToFileURL(file).href);
