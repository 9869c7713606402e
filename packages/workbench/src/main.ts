import { enableCompileCache } from "node:module";

enableCompileCache();
// Only now: what is imported before goes into no cache.
const { runFlowCommand } = await import("./flow-command.ts");
process.exitCode = await runFlowCommand(process.argv.slice(2), process);
