import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Below the ports that systems give to outgoing connections: one of those may be taken between its choice and its use, or
 * while a server restarts.
 */
const firstPort = 11_000;
const portsOfProcess = 100;
const slices = 210;

let asked = 0;

/** A port that was free a moment ago. Processes choose from slices of their own, so that no two choose the same one. */
export async function freePort(): Promise<number> {
  const ownFirst = firstPort + (process.pid % slices) * portsOfProcess;
  for (let tried = 0; tried < portsOfProcess; tried += 1) {
    const port = ownFirst + (asked++ % portsOfProcess);
    if (await isFree(port)) return port;
  }
  throw new Error(`None of the ports from ${ownFirst} to ${ownFirst + portsOfProcess - 1} is free.`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}
