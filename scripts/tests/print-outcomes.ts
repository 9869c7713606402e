import type { FileOutcome } from "./run-files.ts";

export type Counts = { passed: number; failed: number; skipped: number };

const slowestShown = 10;

export function isGood({ problems, results }: FileOutcome): boolean {
  return problems.length === 0 && results.every(({ outcome }) => outcome !== "failed");
}

function countTests(outcomes: readonly FileOutcome[]): Counts {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { results, problems } of outcomes) {
    for (const { isSuite, outcome } of results) if (!isSuite) counts[outcome] += 1;
    if (problems.length > 0) counts.failed += 1;
  }
  return counts;
}

/** Prints a line a file as files end, with how far the run is, and failures in full. */
export function createProgress(files: readonly string[], msOf: (file: string) => number, isVerbose: boolean) {
  const startedAt = performance.now();
  const allMs = files.reduce((sum, file) => sum + msOf(file), 0);
  let done = 0;
  let doneMs = 0;
  return (outcome: FileOutcome): void => {
    done += 1;
    doneMs += msOf(outcome.file);
    const tests = outcome.results.filter(({ isSuite }) => !isSuite).length;
    const leftMs = ((performance.now() - startedAt) / Math.max(doneMs, 1)) * (allMs - doneMs);
    const place = `${String(done).padStart(String(files.length).length)}/${files.length}`;
    const left = done < 10 ? "" : `, ${formatTime(leftMs)} left`;
    const verdict = isGood(outcome) ? "ok  " : "FAIL";
    console.log(`[${place}${left}] ${verdict} ${outcome.file} (${tests} tests, ${seconds(outcome.ms)})`);
    if (isVerbose) printTests(outcome);
    printFailures(outcome);
  };
}

function printTests({ results, output }: FileOutcome): void {
  for (const { names, outcome, isSuite } of results) if (!isSuite) console.log(`  ${outcome}  ${names.join(" › ")}`);
  if (output !== "") console.log(output.trimEnd());
}

function printFailures(outcome: FileOutcome): void {
  for (const { names, outcome: result, error } of outcome.results) {
    if (result === "failed" && error !== undefined) console.log(indent(`✖ ${names.join(" › ")}\n${error}`));
  }
  for (const problem of outcome.problems) console.log(indent(`✖ ${problem}`));
  if (!isGood(outcome) && outcome.output !== "")
    console.log(indent(`It wrote:\n${outcome.output.slice(-4_000).trimEnd()}`));
}

/** The slowest files, what failed, and what all of it took. */
export function printSummary(outcomes: readonly FileOutcome[], wallMs: number): void {
  const slowest = [...outcomes].sort((a, b) => b.ms - a.ms).slice(0, slowestShown);
  console.log("\nThe slowest files: seconds, processor seconds");
  for (const { file, ms, cpuSeconds } of slowest) {
    console.log(`${seconds(ms).padStart(8)} ${cpuSeconds.toFixed(1).padStart(6)}  ${file}`);
  }
  const bad = outcomes.filter((outcome) => !isGood(outcome));
  if (bad.length > 0) console.log("\nFailed:");
  for (const outcome of bad) {
    console.log(`\n${outcome.file}`);
    printFailures(outcome);
  }
  const cpuSeconds = outcomes.reduce((sum, outcome) => sum + outcome.cpuSeconds, 0);
  console.log(`\n${outcomes.length} files in ${formatTime(wallMs)}, ${Math.round(cpuSeconds)} processor seconds.`);
}

/** The last line of a run, which machines read as well. */
export function printCounts(outcomes: readonly FileOutcome[]): void {
  const { passed, failed, skipped } = countTests(outcomes);
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

function formatTime(ms: number): string {
  const whole = Math.round(ms / 1_000);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, "    ");
}
