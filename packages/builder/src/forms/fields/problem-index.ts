import type { FieldProblem } from "./field-problems.ts";

/** Problems by where they are. */
export type ProblemIndex = {
  /** The sentences for exactly this place. */
  at(path: string): readonly string[];
  /** How many there are at this place and inside of it. */
  count(path: string): number;
};

export function createProblemIndex(problems: readonly FieldProblem[]): ProblemIndex {
  const byPath = new Map<string, string[]>();
  const counts = new Map<string, number>();
  for (const { path, message } of problems) {
    const known = byPath.get(path);
    if (known?.includes(message)) continue;
    byPath.set(path, [...(known ?? []), message]);
    for (const place of placesOf(path)) counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  return { at: (path) => byPath.get(path) ?? [], count: (path) => counts.get(path) ?? 0 };
}

/** `a.b` is in ``, `a` and `a.b`. */
function placesOf(path: string): string[] {
  const names = path === "" ? [] : path.split(".");
  return ["", ...names.map((_, index) => names.slice(0, index + 1).join("."))];
}
