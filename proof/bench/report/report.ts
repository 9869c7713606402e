import { writeFileSync } from "node:fs";
import type { Size } from "../arguments.ts";
import type { Scenario, Summary } from "../figures/figure.ts";
import { runRounds } from "../figures/run-rounds.ts";
import { describeMachine, readMachine } from "./machine.ts";
import { toTable } from "./table.ts";

/** Measures, prints the machine and a table, and writes the JSON file where one is wanted. */
export async function report(scenarios: readonly Scenario[], size: Size): Promise<readonly Summary[]> {
  const machine = readMachine();
  console.log(describeMachine(machine));
  const summaries = await runRounds(scenarios, { ...size, say: sayBriefly });
  sayBriefly("");
  const loadAfter = readMachine().load;
  const { rounds, seconds, jsonFile } = size;
  console.log(`${rounds === 1 ? "One round" : `Medians of ${rounds} rounds`}, loads of ${seconds} s\n`);
  console.log(toTable(summaries));
  console.log(`\nload ${loadAfter.toFixed(2)} after the end, this bench included`);
  if (jsonFile === undefined) return summaries;
  const { load: loadBefore, ...rest } = machine;
  const content = {
    at: new Date().toISOString(),
    machine: { ...rest, loadBefore, loadAfter },
    rounds,
    seconds,
    summaries,
  };
  writeFileSync(jsonFile, `${JSON.stringify(content, undefined, 2)}\n`);
  return summaries;
}

/** Over the line before, and only for a person who watches. */
function sayBriefly(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
}
