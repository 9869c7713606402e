import type { Areas } from "../areas.ts";
import { formatNumber } from "../index.ts";

export const inbox: Areas["inbox"] = {
  title: "Boîte de réception",
  summary: "Exécutions en attente d’une personne. Elles reprennent dès la réponse donnée.",
  list: "Liste des questions",
  emptyTitle: "Rien n’attend de réponse",
  emptyText:
    "Quand un agent demande une approbation ou une saisie, sa question apparaît ici et il est possible d’y répondre directement.",
  exampleAgent: "Remboursements",
  exampleQuestion: "Rembourser 40 $ pour la commande 17 ?",
  exampleYes: "Approuver",
  exampleNo: "Rejeter",
  stale: "La liste n’est peut-être pas à jour",
  agentGone: "Agent supprimé",
  startedBy: {
    account: "Chat d’un compte",
    "api-key": "Chat via une clé API",
    schedule: "Lancée par une planification",
    visitor: "Chat d’un visiteur",
  },
  session: (id) => `Session ${id}`,
  asked: (moment) => `Demandé ${moment}`,
  began: "Commencée par",
  viewRun: "Voir l’exécution",
  viewRunOf: (agent) => `Voir l’exécution de ${agent}`,
  failed: "La réponse n’a pas été envoyée",
  outcomes: {
    answered: (label) => `Réponse : ${label}. L’exécution continue.`,
    late: "Quelqu’un d’autre a répondu avant, ou l’exécution est terminée. La réponse n’a pas été utilisée.",
    gone: "Quelqu’un d’autre a répondu à cette question, ou l’exécution est terminée.",
  },
  range: (from, to, total) => `${formatNumber(from)}–${formatNumber(to)} sur ${formatNumber(total)}`,
  pages: "Pages de questions",
  previousPage: "Page précédente",
  nextPage: "Page suivante",
};
