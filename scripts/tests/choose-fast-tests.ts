import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FailureHistory } from "./failure-history.ts";
import { type ImportGraph, readImportGraph } from "./import-graph.ts";

export type FastTestsRequest = {
  root: string;
  /** Paths of all test files from the root. */
  tests: readonly string[];
  /** How long a file took before. */
  secondsOf(file: string): number;
  /** Test processes at once. */
  processes: number;
  history: FailureHistory;
  say(line: string): void;
};

/** What each process may work: with its start, and beside others, the run ends within 40 seconds. */
const budgetSeconds = 18;
/** A single file cannot be shared out. */
const longestSeconds = 15;

/** What imports a changed file comes before what only stands near it. */
const farthest = 1_000;

/** A changed file and the lines of its present text that differ. */
export type Change = { path: string; lines: Set<number> };

/**
 * Chooses the tests that a change concerns, as many as fit into 40 seconds: first those that failed with this file before,
 * then those that use a changed name, then those that import the file, on the fewest steps first. Where nothing imports
 * it, those in the nearest folder. A change is what the working tree adds to the last commit, or that commit when nothing
 * is uncommitted.
 */
export function chooseFastTests(request: FastTestsRequest): string[] {
  const { root, tests, processes, secondsOf, say } = request;
  const changes = findChanges(root);
  const ranks = rankTests(request, changes, readImportGraph(root));
  const concerned = [...ranks].sort(([a, x], [b, y]) => x - y || secondsOf(a) - secondsOf(b) || (a < b ? -1 : 1));
  let left = budgetSeconds * processes;
  const chosen = concerned.flatMap(([test]) => {
    const seconds = secondsOf(test);
    if (seconds > Math.min(left, longestSeconds)) return [];
    left -= seconds;
    return [test];
  });
  say(
    `${changes.length} files changed; they concern ${ranks.size} of ${tests.length} test files, ${chosen.length} of which run.`,
  );
  return chosen;
}

/** The lower, the nearer. */
function rankTests(request: FastTestsRequest, changes: readonly Change[], graph: ImportGraph): Map<string, number> {
  const ranks = new Map<string, number>();
  for (const change of changes) {
    for (const [test, rank] of rankFor(request, change, graph)) {
      ranks.set(test, Math.min(rank, ranks.get(test) ?? Infinity));
    }
  }
  return ranks;
}

type Rank = readonly [test: string, rank: number];

function rankFor({ root, tests, history }: FastTestsRequest, { path, lines }: Change, graph: ImportGraph): Rank[] {
  const failed = new Set(history.failedWith(path));
  const distances = distancesFrom(path, graph);
  const names = new Set(graph.namesAt(path, lines));
  const rankOf = (test: string): number | undefined => {
    if (test === path) return 0;
    if (failed.has(test)) return 1;
    const distance = distances.get(test);
    return distance === undefined || !mentions(join(root, test), names) ? distance && distance + 2 : 2;
  };
  const ranks = tests.flatMap((test): Rank[] => {
    const rank = rankOf(test);
    return rank === undefined ? [] : [[test, rank]];
  });
  return ranks.length > 0 ? ranks : nearestByFolder(path, tests);
}

function mentions(path: string, names: ReadonlySet<string>): boolean {
  if (names.size === 0) return false;
  const words = new Set(readFileSync(path, "utf8").match(/[\w$]+/g));
  return [...names].some((name) => words.has(name));
}

function distancesFrom(path: string, graph: ImportGraph): Map<string, number> {
  const distances = new Map([[path, 0]]);
  for (const [reached, distance] of distances) {
    for (const importer of graph.importersOf(reached))
      if (!distances.has(importer)) distances.set(importer, distance + 1);
  }
  distances.delete(path);
  return distances;
}

/** The tests in the nearest folder above that has some, with the steps up to it. */
function nearestByFolder(path: string, tests: readonly string[]): Rank[] {
  for (let [folder, steps] = [dirname(path), 0]; ; [folder, steps] = [dirname(folder), steps + 1]) {
    const inside = folder === "." ? tests : tests.filter((test) => test.startsWith(`${folder}/`));
    if (inside.length > 0) return inside.map((test) => [test, steps + farthest]);
  }
}

/** What the working tree adds to the last commit, or that commit when nothing is uncommitted. Nothing outside of Git. */
export function findChanges(root: string): Change[] {
  if (!existsSync(join(root, ".git"))) return [];
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 28 });
  const parse = (...range: string[]) => parseDiff(git("diff", "--unified=0", "--no-color", "--no-renames", ...range));
  const untracked = git("ls-files", "--others", "--exclude-standard").split("\n").filter(Boolean);
  const uncommitted = [...parse("HEAD"), ...untracked.map((path) => ({ path, lines: new Set<number>() }))];
  return uncommitted.length > 0 ? uncommitted : parse("HEAD~1", "HEAD");
}

/** Of a diff without context. A deletion concerns the line before it. */
export function parseDiff(text: string): Change[] {
  const changes: Change[] = [];
  for (const line of text.split("\n")) {
    const path = /^diff --git a\/.* b\/(.*)$/.exec(line)?.[1];
    if (path !== undefined) changes.push({ path, lines: new Set() });
    const [, start, count = "1"] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    if (start === undefined) continue;
    const lines = changes.at(-1)?.lines;
    for (let at = 0; at < Math.max(1, Number(count)); at += 1) lines?.add(Number(start) + at);
  }
  return changes;
}
