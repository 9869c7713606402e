import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FileOutcome } from "./run-files.ts";

/** Seconds that each file took. */
export type Durations = Record<string, number>;

type FileReport = {
  file: string;
  seconds: number;
  cpuSeconds: number;
  problems: readonly string[];
  /** Outcome and full name. */
  tests: readonly (readonly [string, string])[];
};

const measured = ".cache/test-durations.json";
const reported = ".cache/test-report.json";

/** What the last run found, for people and scripts: every test with its outcome. */
export function writeReport(root: string, outcomes: readonly FileOutcome[]): void {
  const report: FileReport[] = outcomes.map(({ file, results, problems, ms, cpuSeconds }) => ({
    file,
    seconds: Math.round(ms) / 1_000,
    cpuSeconds: Math.round(cpuSeconds * 100) / 100,
    problems,
    tests: results.filter(({ isSuite }) => !isSuite).map(({ names, outcome }) => [outcome, names.join(" > ")] as const),
  }));
  mkdirSync(join(root, ".cache"), { recursive: true });
  writeFileSync(join(root, reported), JSON.stringify(report, undefined, 1));
}

/** What failed in the last run, a line each: the end of a log is often all that is kept of it. */
export function readFailures(root: string): string[] {
  const report: FileReport[] = JSON.parse(readFileSync(join(root, reported), "utf8"));
  return report.flatMap(({ file, problems, tests }) => [
    ...tests.filter(([outcome]) => outcome === "failed").map(([, name]) => `FAIL ${file}: ${name}`),
    ...problems.map((problem) => `FAIL ${file}: ${problem.split("\n")[0]}`),
  ]);
}

/** From the last whole runs here; a new clone knows those that are written down with the budget. */
export function readDurations(root: string): Durations {
  return { ...read(join(root, "scripts/tests/long-files.json")), ...read(join(root, measured)) };
}

export function writeDurations(root: string, outcomes: readonly FileOutcome[]): void {
  const path = join(root, measured);
  const seconds = outcomes.map(({ file, ms }) => [file, Math.round(ms / 100) / 10]);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify({ ...read(path), ...Object.fromEntries(seconds) }, undefined, 1));
}

function read(path: string): Durations {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return {};
  }
}
