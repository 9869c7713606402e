import type { Areas } from "../areas.ts";
import { formatNumber } from "../index.ts";
import { counted } from "./plural.ts";

export const home: Areas["home"] = {
  title: "Start",
  summary: "Was die Agenten getan haben und was auf eine Person wartet.",
  range: "Zeitraum",
  ranges: { "24h": "24 h", "7d": "7 T.", "30d": "30 T." },
  runs: "Ausführungen",
  running: (count) => (count === 0 ? "Gerade läuft keine" : `${formatNumber(count)} laufen gerade`),
  failures: "Fehler",
  failureRate: (percent) => `${percent} aller Ausführungen`,
  p95: "Dauer p95",
  p95Note: "Von Anfang bis Ende",
  tokens: "Token",
  cost: "Kosten",
  unknown: "–",
  unpriced: (count) => `${counted(count, "Ausführung", "Ausführungen")} ohne bekannten Preis`,
  waiting: "Wartet auf eine Person",
  openInbox: "Eingang öffnen",
  nothingWaits: "Nichts wartet",
  volume: "Ausführungen im Zeitverlauf",
  agents: "Aktivste Agenten",
  agent: "Agent",
  deletedAgent: "Gelöschter Agent",
  noRuns: "Keine Ausführungen in diesem Zeitraum.",
  latestFailures: "Letzte Fehler",
  noFailures: "In diesem Zeitraum ist keine Ausführung fehlgeschlagen.",
  noQuestion: "Keine Frage",
};
