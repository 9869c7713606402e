import type { Goal, Summary } from "../figures/figure.ts";

/** Lines of a table: the figure, what stands beside it, its goal and whether it is met, and who kept the cores busy. */
export function toTable(summaries: readonly Summary[]): string {
  const head = ["figure", "", "rounds", "beside", "goal", "", "busy cores"];
  const rows = [head, ...summaries.map(toRow)];
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === 1 ? cell.padStart(widths[1] ?? 0) : cell.padEnd(widths[column] ?? 0)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function toRow(summary: Summary): string[] {
  const { database, title, unit, value, goal, cores, rounds } = summary;
  return [
    database === "" ? title : `${database === "sqlite" ? "SQLite" : "PostgreSQL"}: ${title}`,
    toText(value, unit),
    toRange(rounds.map((reading) => reading.value)),
    beside(summary),
    goal ? toGoal(goal, unit) : "",
    goal ? (goal.isMet ? "met" : "MISSED") : "",
    Object.entries(cores ?? {})
      .map(([name, busy]) => `${name} ${busy.toFixed(2)}`)
      .join(", "),
  ];
}

/** From the lowest to the highest round; empty for a single one. */
function toRange(values: readonly number[]): string {
  return values.length < 2
    ? ""
    : [Math.min(...values), Math.max(...values)].map((value) => toText(value, "")).join("–");
}

function beside({ baseline, unit, goal }: Summary): string {
  if (baseline === undefined) return "";
  const { title, value, added, ratio } = baseline;
  const relation =
    unit === "ms" && goal?.of !== "ratio" ? toAdded(added, unit) : `${ratio.toFixed(ratio < 0.1 ? 3 : 2)} ×`;
  return `${relation}  ${title} ${toText(value, unit)}`;
}

function toGoal({ of, limit, isLeast }: Goal, unit: Summary["unit"]): string {
  const relation = isLeast ? "≥" : "≤";
  if (of === "ratio") return `${relation} ${limit} ×`;
  const text = `${limit}${unit === "/s" || unit === "" ? unit : ` ${unit}`}`;
  return of === "added" ? `${relation} +${text}` : `${relation} ${text}`;
}

function toAdded(value: number, unit: Summary["unit"]): string {
  return `${value < 0 ? "−" : "+"}${toText(Math.abs(value), unit)}`;
}

/** Three digits or so, which is more than two runs agree on. */
function toText(value: number, unit: Summary["unit"]): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return `${value.toFixed(digits)}${unit === "/s" || unit === "" ? unit : ` ${unit}`}`;
}
