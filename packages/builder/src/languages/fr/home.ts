import type { Areas } from "../areas.ts";
import { formatNumber } from "../index.ts";
import { counted } from "./plural.ts";

export const home: Areas["home"] = {
  title: "Accueil",
  summary: "L’activité des agents et ce qui attend une réponse.",
  range: "Période",
  ranges: { "24h": "24 h", "7d": "7 j", "30d": "30 j" },
  runs: "Exécutions",
  running: (count) => (count === 0 ? "Aucune en cours" : `${formatNumber(count)} en cours`),
  failures: "Échecs",
  failureRate: (percent) => `${percent} des exécutions`,
  p95: "Durée p95",
  p95Note: "Du début à la fin",
  tokens: "Tokens",
  cost: "Coût",
  unknown: "–",
  unpriced: (count) => `${counted(count, "exécution", "exécutions")} sans prix connu`,
  waiting: "En attente d’une personne",
  openInbox: "Ouvrir la boîte de réception",
  nothingWaits: "Rien en attente",
  volume: "Exécutions au fil du temps",
  agents: "Agents les plus actifs",
  agent: "Agent",
  deletedAgent: "Agent supprimé",
  noRuns: "Aucune exécution sur cette période.",
  latestFailures: "Derniers échecs",
  noFailures: "Aucun échec sur cette période.",
  noQuestion: "Sans question",
};
