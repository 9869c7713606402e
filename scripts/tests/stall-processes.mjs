// Stops Node processes of this repository for moments, all or one, as a shared machine does: `npm run test:loaded --
// --stalls` runs it beside the tests. Linux alone, which tells of each process where it works. Ends with its parent.
import { readdirSync, readlinkSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const pausesMs = [30, 60, 100, 200, 400];
/** Mean time between two stalls. */
const everyMs = 500;
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const stopped = new Set();

function readLink(path) {
  try {
    return readlinkSync(path);
  } catch {
    return ""; // It is gone, or somebody else's.
  }
}

/** Those that run the tests or were started by them; not this one. */
function findProcesses() {
  const ids = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const isOurs = (id) =>
    /node$/.test(readLink(`/proc/${id}/exe`)) && `${readLink(`/proc/${id}/cwd`)}/`.startsWith(root);
  return ids.filter(isOurs).map(Number);
}

function send(ids, signal) {
  for (const id of ids) {
    try {
      process.kill(id, signal);
    } catch {
      // It has ended.
    }
  }
}

process.on("exit", () => send(stopped, "SIGCONT"));
process.on("SIGTERM", () => process.exit());
process.stdin.resume().on("end", () => process.exit());
for (;;) {
  await sleep(-Math.log(1 - Math.random()) * everyMs);
  const all = findProcesses();
  const one = all[Math.floor(Math.random() * all.length)];
  const chosen = Math.random() < 0.5 || one === undefined ? all : [one];
  for (const id of chosen) stopped.add(id);
  send(chosen, "SIGSTOP");
  await sleep(pausesMs[Math.floor(Math.random() * pausesMs.length)]);
  send(chosen, "SIGCONT");
  stopped.clear();
}
