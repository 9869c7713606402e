// `./weft NAME …`, or `npm run weft -- NAME …`: brings the packages that a command needs, then runs it on the pinned Node, in
// this folder. Runs on whatever Node is there (20, 22, 24, 26), so: plain JavaScript, no dependencies. Writes nothing to
// stdout but the list of commands: `npm run -s token` is read from there.
import { spawn, spawnSync } from "node:child_process";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensurePackages, report } from "./ensure.mjs";
import { commands, groups } from "./weft/commands.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const [name = "help", ...given] = process.argv.slice(2);
const command = commands.get(name);

if (command !== undefined) {
  // Typed as for npm, `./weft chaos -- --minutes 20` means the same.
  await run(command, given[0] === "--" ? given.slice(1) : given).catch(report);
} else if (["help", "--help", "-h"].includes(name)) {
  console.log(listCommands());
} else {
  console.error(`weft: there is no command "${name}".${suggest(name)} List all of them with ./weft`);
  process.exitCode = 2;
}

async function run({ runs, lanes, needs = "all" }, args) {
  const node = await ensurePackages(needs);
  process.chdir(root);
  const env = { ...process.env, PATH: [join(root, "node_modules", ".bin"), process.env.PATH].join(delimiter) };
  if (lanes !== undefined) {
    const statuses = await Promise.all(lanes.map((lane) => runLane(lane, node, env)));
    process.exitCode = statuses.find((status) => status !== 0) ?? 0;
    return;
  }
  for (const first of runs.slice(0, -1)) {
    const { status, error } = spawnSync(node, first, { stdio: "inherit", env });
    if (error !== undefined) throw error;
    if (status !== 0) {
      process.exitCode = status ?? 1;
      return;
    }
  }
  become(node, [...runs.at(-1), ...args], env);
}

/** Runs one process after the other until one fails. Resolves with the status of the last. */
async function runLane(lane, node, env) {
  for (const args of lane) {
    const child = spawn(node, args, { stdio: "inherit", env });
    const status = await new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("exit", (code) => resolve(code ?? 1));
    });
    if (status !== 0) return status;
  }
  return 0;
}

/** This process turns into the command where it can, so that signals, streams and exit status are the command's own. */
function become(node, args, env) {
  if (process.execve !== undefined && process.platform !== "win32") process.execve(node, [node, ...args], env);
  const child = spawn(node, args, { stdio: "inherit", env });
  child.on("error", report);
  // Ctrl-C reaches both from the terminal.
  process.on("SIGINT", () => {});
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (status, signal) => {
    process.exitCode = status ?? 1;
    if (signal === null) return;
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

function listCommands() {
  const width = Math.max(...[...commands.keys()].map(({ length }) => length));
  const lines = Object.entries(groups).flatMap(([title, group]) => [
    `\n${title}`,
    ...Object.entries(group).map(([name, { does }]) => `  ${name.padEnd(width)}  ${does}`),
  ]);
  return ["Usage: ./weft COMMAND [OPTIONS]     on Windows: npm run weft -- COMMAND [OPTIONS]", ...lines].join("\n");
}

/** The names that are most like what was typed. */
function suggest(typed) {
  const near = [...commands.keys()]
    .map((name) => ({ name, distance: name.includes(typed) || typed.includes(name) ? 0 : countEdits(typed, name) }))
    .filter(({ name, distance }) => distance <= Math.max(typed.length, name.length) / 3)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3);
  return near.length === 0 ? "" : ` Did you mean ${near.map(({ name }) => name).join(" or ")}?`;
}

/** Letters to add, remove or replace. */
function countEdits(from, to) {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (let at = 1; at <= to.length; at += 1) {
      const replaced = row[at - 1] + (letter === to[at - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[at] + 1, next[at - 1] + 1));
    }
    row = next;
  }
  return row.at(-1);
}
