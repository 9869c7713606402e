import { enableCompileCache } from "node:module";

enableCompileCache();
// Imported late: earlier imports are not in the compile cache.
const { runNamed } = await import("./commands.ts");
await runNamed(process.argv.slice(2), process);
