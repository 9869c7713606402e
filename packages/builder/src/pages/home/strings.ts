import { formatNumber, localized } from "../../languages/index.ts";

/** Texts of the start page. */
export const homeStrings = localized("home", {
  title: "Home",
  summary: "What your agents did, and what waits for you.",
  range: "Time range",
  ranges: { "24h": "24 h", "7d": "7 d", "30d": "30 d" },
  runs: "Runs",
  running: (count: number) => (count === 0 ? "None running now" : `${formatNumber(count)} running now`),
  failures: "Failures",
  failureRate: (percent: string) => `${percent} of all runs`,
  p95: "p95 duration",
  p95Note: "From start to end",
  tokens: "Tokens",
  cost: "Cost",
  unknown: "–",
  unpriced: (count: number) =>
    count === 1 ? "1 run without a known price" : `${formatNumber(count)} runs without a known price`,
  waiting: "Waiting for a person",
  openInbox: "Open inbox",
  nothingWaits: "Nothing waits",
  volume: "Runs over time",
  agents: "Busiest agents",
  agent: "Agent",
  deletedAgent: "Deleted agent",
  noRuns: "No runs in this time.",
  latestFailures: "Latest failures",
  noFailures: "No run failed in this time.",
  noQuestion: "No question",
});
