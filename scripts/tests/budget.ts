import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FileOutcome } from "./run-files.ts";

/**
 * What the usual tests may cost: seconds of processor time, in all and for each package, on a machine on which the piece of
 * work of `measure-speed.ts` takes `speedMs`. A slower machine may take longer in proportion.
 */
export type Budget = { speedMs: number; cpuSeconds: number; packages: Record<string, number> };

export type Costs = {
  cpuSeconds: number;
  packages: Record<string, number>;
  /** How long the piece of work took, at several moments of the run. */
  speedsMs: readonly number[];
};

/** What the run of all tests is held to. */
const tolerance = 0.05;
/** Of a package, which is small and varies. */
const packageTolerance = 0.25;
const packageSeconds = 4;
/** Where the work took that much longer at some moments than at others, others used the machine: nothing is judged. */
const steadyRatio = 1.25;

const file = "scripts/tests/budget.json";

export function readBudget(root: string): Budget {
  return JSON.parse(readFileSync(join(root, file), "utf8"));
}

/** Writes what a run cost as the budget, with a tenth to spare: `npm test -- --set-budget`. */
export function writeBudget(root: string, { cpuSeconds, packages, speedsMs }: Costs): void {
  const rounded = (seconds: number) => Math.ceil(seconds * 11) / 10;
  const sorted = Object.entries(packages).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const budget: Budget = {
    speedMs: Math.round(quantile(speedsMs, 0.5)),
    cpuSeconds: Math.ceil(cpuSeconds * 1.1),
    packages: Object.fromEntries(sorted.map(([name, seconds]) => [name, rounded(seconds)])),
  };
  writeFileSync(join(root, file), `${JSON.stringify(budget, undefined, 2)}\n`);
}

export function countCosts(outcomes: readonly FileOutcome[], speedsMs: readonly number[]): Costs {
  const packages: Record<string, number> = {};
  for (const { file: path, cpuSeconds } of outcomes) {
    const [first = "", second = ""] = path.split("/");
    const name = ["packages", "apps", "proof"].includes(first) ? `${first}/${second}` : first;
    packages[name] = (packages[name] ?? 0) + cpuSeconds;
  }
  return { cpuSeconds: outcomes.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0), packages, speedsMs };
}

export type Verdict = { isOver: boolean; lines: string[] };

/** Compares a whole run with the budget. */
export function judgeCosts(costs: Costs, budget: Budget): Verdict {
  const factor = quantile(costs.speedsMs, 0.5) / budget.speedMs;
  const allowed = budget.cpuSeconds * factor;
  const ratio = costs.cpuSeconds / allowed;
  const lines = [
    `${percent(ratio)} of the budget: ${Math.round(costs.cpuSeconds)} of ${Math.round(allowed)} processor seconds on this machine.`,
  ];
  const over = Object.entries(costs.packages).flatMap(([name, seconds]) => {
    const share = (budget.packages[name] ?? 0) * factor;
    const isOver = seconds > share * (1 + packageTolerance) && seconds > share + packageSeconds * factor;
    return isOver ? [`  ${name}: ${seconds.toFixed(1)} of ${share.toFixed(1)}`] : [];
  });
  if (ratio <= 1 + tolerance && over.length === 0) return { isOver: false, lines };
  if (over.length > 0) lines.push("Over the budget of their package:", ...over);
  if (quantile(costs.speedsMs, 0.9) > quantile(costs.speedsMs, 0.1) * steadyRatio) {
    return { isOver: false, lines: [...lines, "Not judged: other work used this machine meanwhile."] };
  }
  lines.push(`Make the tests cheaper, or commit a new ${file} (npm test -- --set-budget) and say why.`);
  return { isOver: true, lines };
}

const percent = (ratio: number) => `${Math.round(ratio * 100)} %`;

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? Number.NaN;
}
