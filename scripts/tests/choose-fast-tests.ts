import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readDoors } from "../house/doors.ts";
import { parseSource } from "../house/parse-source.ts";

export type FastTestsRequest = {
  root: string;
  /** Paths of all test files from the root. */
  tests: readonly string[];
  /** Milliseconds that files took before. */
  durations: Readonly<Record<string, number>>;
  /** Files that run at once. */
  atOnce: number;
  say(line: string): void;
};

/** What the chosen files may take together, so that the run ends within a minute. */
const budgetMs = 45_000;
/** Of a file that was not timed yet. */
const guessedMs = 2_500;

/**
 * Chooses the tests that a change concerns: those that import what changed, on the fewest steps first, up to 45 seconds
 * of work. A change is what the working tree adds to the last commit, or that commit when nothing is uncommitted.
 */
export function chooseFastTests({ root, tests, durations, atOnce, say }: FastTestsRequest): string[] {
  const changed = findChanged(root);
  const importers = readImporters(root);
  const distances = distancesFrom(changed, importers);
  const concerned = tests
    .filter((test) => distances.has(test))
    .sort((a, b) => (distances.get(a) ?? 0) - (distances.get(b) ?? 0) || (a < b ? -1 : 1));
  let leftMs = budgetMs * atOnce;
  const chosen = concerned.filter((test) => {
    const ms = durations[test] ?? guessedMs;
    // One file cannot be shared out: alone it would hold the run.
    if (ms > Math.min(leftMs, budgetMs)) return false;
    leftMs -= ms;
    return true;
  });
  say(`${changed.length} files changed; ${concerned.length} test files import them, ${chosen.length} of which run.`);
  if (chosen.length < concerned.length) say("The others take longer than a minute: npm test runs them all.");
  return chosen;
}

function findChanged(root: string): string[] {
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: root, encoding: "utf8" }).split("\n").filter(Boolean);
  const uncommitted = [...git("diff", "--name-only", "HEAD"), ...git("ls-files", "--others", "--exclude-standard")];
  return uncommitted.length > 0 ? uncommitted : git("diff", "--name-only", "HEAD~1", "HEAD");
}

/** Who imports each file directly. A name that passes through doors counts for the file that it comes from. */
function readImporters(root: string): Map<string, Set<string>> {
  const paths = globSync(["{packages,apps}/*/src/**/*.{ts,tsx}", "{scripts,e2e}/**/*.ts"], { cwd: root });
  const doors = readDoors(root);
  const sources = new Map(
    paths
      .map((path) => path.replaceAll("\\", "/"))
      .map((path) => [path, parseSource(path, readFileSync(join(root, path), "utf8"), doors)]),
  );
  const originOf = (path: string, name: string, depth = 0): string => {
    const source = sources.get(path);
    if (source === undefined || source.values.includes(name) || depth > 5) return path;
    const passed = source.imports.find((entry) => entry.isReExport && (entry.name === name || entry.name === "*"));
    return passed === undefined ? path : originOf(passed.from, name, depth + 1);
  };
  const importers = new Map<string, Set<string>>();
  for (const { path, imports } of sources.values()) {
    for (const { from, name, isReExport } of imports) {
      if (isReExport) continue;
      const origin = originOf(from, name);
      importers.set(origin, (importers.get(origin) ?? new Set()).add(path));
    }
  }
  return importers;
}

function distancesFrom(changed: readonly string[], importers: ReadonlyMap<string, Set<string>>): Map<string, number> {
  const distances = new Map(changed.map((path) => [path, 0]));
  for (const [path, distance] of distances) {
    for (const importer of importers.get(path) ?? []) {
      if (!distances.has(importer)) distances.set(importer, distance + 1);
    }
  }
  return distances;
}
