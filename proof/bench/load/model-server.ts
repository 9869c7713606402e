import { fileURLToPath } from "node:url";
import { type ServerProcess, startServerProcess } from "./server-process.ts";

/** Starts the scripted model server, which answers without delay; `url` ends in `/v1`. */
export function startModelServer(args: readonly string[] = []): Promise<ServerProcess> {
  return startServerProcess([fileURLToPath(import.meta.resolve("@weft/providers/testing/main")), ...args]);
}
