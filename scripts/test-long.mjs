// Runs all that `npm test` leaves out, and goes on when a part fails: docs/reference/tests.md says what each proves.
// `npm run test:long -- WORD` runs the parts whose name contains the word.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { readFailures } from "./tests/durations.ts";
import { offerServer } from "./tests/offer-server.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

const tests = { name: "tests on PostgreSQL, kills, faults and fuzz", runs: [["scripts/test.mjs", "--long"]] };
// Pauses are held to 50 ms on a quiet machine; this one may be shared.
const attacks = { name: "attacks", runs: [["proof/attacks/main.ts", "--short", "--bound-ms", "400"]] };
const simulation = { name: "simulation", runs: [["proof/sim/main.ts", "--ci"]] };
const chaos = { name: "chaos", runs: [["proof/chaos/main.ts", "--ci"]] };
const browser = {
  name: "browser",
  runs: [["scripts/ensure-builder.mjs"], ["scripts/test.mjs", "--browser"]],
};

/** Stages run one after the other; the lanes of a stage run side by side: neither attacks nor chaos fills two cores. */
const stages = [[[tests]], [[attacks, simulation], [chaos]], [[browser]]];

const words = process.argv.slice(2);
const isChosen = ({ name }) => words.length === 0 || words.some((word) => name.includes(word));
const all = stages.flat(2);
if (!all.some(isChosen)) console.error(`No part is called that. There are: ${all.map(({ name }) => name).join("; ")}.`);

offerServer(root);
const results = [];
for (const lanes of stages) results.push(...(await Promise.all(lanes.map(runLane))).flat());

console.log("");
for (const { name, hasPassed, failures, seconds } of results) {
  console.log(`${hasPassed ? "ok  " : "FAIL"} ${String(seconds).padStart(5)} s  ${name}`);
  for (const line of failures) console.log(`      ${line}`);
}
process.exitCode = results.length > 0 && results.every(({ hasPassed }) => hasPassed) ? 0 : 1;

/** The first lane of a stage is shown as it runs; the others print each part when it has ended. */
async function runLane(parts, index) {
  const outcomes = [];
  for (const part of parts.filter(isChosen)) outcomes.push(await runPart(part, index === 0));
  return outcomes;
}

async function runPart({ name, runs }, isShown) {
  const startedAt = performance.now();
  let hasPassed = true;
  let output = `\n== ${name}\n`;
  if (isShown) process.stdout.write(output);
  for (const args of runs) if (hasPassed) hasPassed = await run(args, say);
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  if (!isShown) process.stdout.write(output);
  const isOfTests = runs.some(([script]) => script === "scripts/test.mjs");
  const lastLines = () => output.trimEnd().split("\n").slice(-30);
  return { name, seconds, hasPassed, failures: hasPassed ? [] : isOfTests ? readFailures(root) : lastLines() };

  function say(text) {
    output += text;
    if (isShown) process.stdout.write(text);
  }
}

async function run(args, say) {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["inherit", "pipe", "pipe"] });
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", say);
  const [code] = await once(child, "close");
  return code === 0;
}
