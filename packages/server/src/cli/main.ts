import { enableCompileCache } from "node:module";

enableCompileCache();
// Only now: what is imported before goes into no cache.
const { runNamed } = await import("./commands.ts");
await runNamed(process.argv.slice(2), process);
