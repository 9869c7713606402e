// Runs all tests three times in a row beside eight busy loops, in three orders, and stops at the first failure: tests that
// pass only on a quiet machine are found. `npm run test:loaded -- --times=1 WORD…` runs fewer; with `--stalls`, processes are
// stopped for moments in place of the busy loops, which finds what loads of all alike do not.
import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const loops = 8;
const given = process.argv.slice(2);
const times = Number(given.find((each) => each.startsWith("--times="))?.slice("--times=".length) ?? 3);
const stalls = given.includes("--stalls");
const rest = given.filter((each) => !each.startsWith("--times=") && each !== "--stalls");

// A loop ends with the process that started it, however that ends.
const spin =
  "process.stdin.resume().on('end', () => process.exit()); setInterval(() => { for (const end = Date.now() + 50; Date.now() < end; ); }, 0)";
const beside = stalls ? [["scripts/tests/stall-processes.mjs"]] : Array.from({ length: loops }, () => ["-e", spin]);
const busy = beside.map((args) => spawn(process.execPath, args, { cwd: root, stdio: ["pipe", "ignore", "inherit"] }));
try {
  for (let time = 1; time <= times && !process.exitCode; time += 1) {
    console.log(`\n== ${time} of ${times}, ${stalls ? "with stalls" : `beside ${loops} busy loops`}`);
    const { status } = spawnSync(process.execPath, ["scripts/test.mjs", ...rest], { cwd: root, stdio: "inherit" });
    process.exitCode = status ?? 1;
  }
} finally {
  for (const each of busy) each.kill(stalls ? "SIGTERM" : "SIGKILL");
}
