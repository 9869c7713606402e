// Starts the server: `npm start`, the container image, the tests' processes. From its bundle, which is made first where it
// is missing or old, and from its sources where it cannot be made.
//
// glibc gives each thread an arena of its own and hands little of them back. How many is read from the environment before
// any line of ours runs, so the process takes another's place: same process id, same streams, nothing in between
// (docs/decisions/0090-start-and-memory.md). Without `process.execve` (Windows) or glibc there is nothing to gain.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { entries, findServerBundle } from "./server-bundle.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const bundler = join(root, "scripts/server-bundle.mjs");
const server = findServerBundle(root, "main") ?? makeBundle() ?? join(root, entries.main);

if (process.platform === "linux" && process.execve !== undefined && process.env.MALLOC_ARENA_MAX === undefined) {
  const args = [process.execPath, ...process.execArgv, server, ...process.argv.slice(2)];
  process.execve(process.execPath, args, { ...process.env, MALLOC_ARENA_MAX: "1" });
}
await import(pathToFileURL(server).href);

/** In a process of its own: the bundler's memory would stay with the server. */
function makeBundle() {
  const { status, stderr } = spawnSync(process.execPath, [bundler], { encoding: "utf8" });
  if (status === 0) return findServerBundle(root, "main");
  const [reason = ""] = /^\w*Error.*$/m.exec(stderr) ?? [];
  console.error(`weft: the server could not be bundled, and starts slower, from its sources. ${reason}`);
  return undefined;
}
