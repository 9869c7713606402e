import assert from "node:assert/strict";
import { assertGuarantees } from "./assert-guarantees.ts";
import { type Port, ways } from "./fault.ts";
import { type PlannedFault, runWithFaults, type Scenario } from "./fault-runs.ts";

/** How often each port was called without a fault, and how many runs with faults there were. */
export type FaultCounts = { calls: Map<Port, number>; runs: number };

/** Fails every call of every port in every way; with `pairs` also every call of the recovery from each of them. */
export async function failEveryCall(scenario: Scenario, { pairs }: { pairs: boolean }): Promise<FaultCounts> {
  const base = await runWithFaults(scenario, []);
  assertGuarantees(scenario, base, base);
  const end = base.events.at(-1);
  assert.equal(end?.type, scenario.end);
  if (scenario.text !== undefined) assert.equal(end?.type === "run-completed" && end.text, scenario.text);
  const counts: FaultCounts = { calls: new Map(), runs: 0 };
  const calls = base.lives[0]?.fault.calls ?? [];
  for (const port of calls) counts.calls.set(port, (counts.calls.get(port) ?? 0) + 1);
  const check = async (planned: readonly PlannedFault[]) => {
    const run = await runWithFaults(scenario, planned);
    assertGuarantees(scenario, base, run);
    counts.runs += 1;
    return run;
  };
  for (const first of faultsOf(calls)) {
    const run = await check([first]);
    if (!pairs) continue;
    for (const second of faultsOf(run.lives[1]?.fault.calls ?? [])) await check([first, second]);
  }
  return counts;
}

/** A sleep has no errors of its own. */
function faultsOf(calls: readonly Port[]): PlannedFault[] {
  return calls.flatMap((port, index) =>
    ways.filter((way) => port !== "clock" || way !== "error").map((way) => ({ at: index + 1, way })),
  );
}
