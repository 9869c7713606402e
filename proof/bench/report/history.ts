import { execFileSync } from "node:child_process";
import { appendFileSync, readFileSync } from "node:fs";
import budget from "../../../scripts/tests/budget.json" with { type: "json" };
import { measureSpeedMs } from "../../../scripts/tests/measure-speed.ts";
import type { FiguresCommand } from "../arguments.ts";
import type { Summary } from "../figures/figure.ts";
import { readMachine } from "./machine.ts";

const root = new URL("../../../", import.meta.url);

/** A line of `proof/bench/history.jsonl`. Ratios are to what was measured beside a figure, in the same rounds. */
export type HistoryLine = {
  at: string;
  version: string;
  commit: string;
  /** With what the commit does not have. */
  isChanged: boolean;
  /** `slowness`: how much longer the same work takes than on the machine of the tests' budget. */
  machine: { cores: number; model: string; node: string; load: number; slowness: number };
  kind: "check" | "all";
  rounds: number;
  seconds: number;
  figures: { name: string; database: string; title: string; unit: string; value: number; ratio?: number }[];
};

const historyFile = new URL("proof/bench/history.jsonl", root);

export function readHistory(): HistoryLine[] {
  return readFileSync(historyFile, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as HistoryLine);
}

/** Appends the figures of a whole run to the history. */
export function keepInHistory(
  summaries: readonly Summary[],
  { isCheck, rounds, seconds }: Pick<FiguresCommand, "isCheck" | "rounds" | "seconds">,
): void {
  const { cores, model, node, load } = readMachine();
  const { version } = JSON.parse(readFileSync(new URL("package.json", root), "utf8")) as { version: string };
  const line: HistoryLine = {
    at: new Date().toISOString(),
    version,
    commit: git("rev-parse", "--short=12", "HEAD"),
    isChanged: git("status", "--porcelain", "--untracked-files=no") !== "",
    machine: { cores, model, node, load, slowness: round(measureSpeedMs() / budget.speedMs) },
    kind: isCheck ? "check" : "all",
    rounds,
    seconds,
    figures: summaries.map(({ name, database, title, unit, value, baseline }) => ({
      name,
      database,
      title: title.trim(),
      unit,
      value: round(value),
      ...(baseline && { ratio: round(baseline.ratio) }),
    })),
  };
  appendFileSync(historyFile, `${JSON.stringify(line)}\n`);
}

function git(...words: string[]): string {
  try {
    return execFileSync("git", words, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return "";
  }
}

function round(value: number): number {
  return Number(value.toPrecision(4));
}
