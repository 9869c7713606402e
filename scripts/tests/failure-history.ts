import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Which tests failed while which files were changed, on this machine. */
export type FailureHistory = {
  failedWith(path: string): readonly string[];
  /** Remembers what a run found: tests that failed, and the files that differed from the last commit. */
  remember(failed: readonly string[], changed: readonly string[]): void;
};

const mostTests = 20;
/** So many changes at once say nothing about one of them. */
const mostChanged = 30;

export function openFailureHistory(root: string): FailureHistory {
  const file = join(root, ".cache", "test-failures.json");
  const known: Record<string, string[]> = read(file);
  return {
    failedWith: (path) => known[path] ?? [],
    remember(failed, changed) {
      if (failed.length === 0 || changed.length > mostChanged) return;
      for (const path of changed) known[path] = [...new Set([...failed, ...(known[path] ?? [])])].slice(0, mostTests);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify(known, undefined, 1));
    },
  };
}

function read(file: string): Record<string, string[]> {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return {};
  }
}
