import { failEveryCall } from "./fail-every-call.ts";
import { scenarios } from "./fault-scenarios.ts";

/**
 * `./weft faults`: in every scenario every call of every port fails in every way, and then every call of the recovery
 * as well. Prints the counts; ends with an error at the first guarantee that does not hold. `-- WORD…`: only scenarios
 * whose name contains a word.
 */
const words = process.argv.slice(2);
const chosen = Object.entries(scenarios).filter(
  ([name]) => words.length === 0 || words.some((word) => name.includes(word)),
);
const began = performance.now();
let calls = 0;
let runs = 0;
for (const [name, scenario] of chosen) {
  const counts = await failEveryCall(scenario, { pairs: true });
  const total = [...counts.calls.values()].reduce((sum, count) => sum + count, 0);
  const listed = [...counts.calls].map(([port, count]) => `${port} ${count}`).join(", ");
  process.stdout.write(`${name}: ${total} calls (${listed}), ${counts.runs} runs with faults\n`);
  calls += total;
  runs += counts.runs;
}
const seconds = Math.round((performance.now() - began) / 1_000);
process.stdout.write(`${chosen.length} scenarios, ${calls} calls, ${runs} runs with one or two faults, ${seconds} s\n`);
