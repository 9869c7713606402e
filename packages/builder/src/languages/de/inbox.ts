import type { Areas } from "../areas.ts";
import { formatNumber } from "../index.ts";

export const inbox: Areas["inbox"] = {
  title: "Eingang",
  summary: "Ausführungen, die auf eine Person warten. Mit der Antwort geht es weiter.",
  list: "Fragen",
  emptyTitle: "Nichts wartet auf eine Antwort",
  emptyText:
    "Wenn ein Agent um Freigabe oder Eingaben bittet, erscheint seine Frage hier und lässt sich direkt beantworten.",
  exampleAgent: "Erstattungen",
  exampleQuestion: "40 $ für Bestellung 17 erstatten?",
  exampleYes: "Genehmigen",
  exampleNo: "Ablehnen",
  stale: "Die Liste ist vielleicht veraltet",
  agentGone: "Gelöschter Agent",
  startedBy: {
    account: "Chat eines Kontos",
    "api-key": "Chat über einen API-Schlüssel",
    schedule: "Nach Zeitplan gestartet",
    visitor: "Chat eines Besuchers",
  },
  session: (id) => `Sitzung ${id}`,
  asked: (moment) => `Gefragt ${moment}`,
  began: "Begann mit",
  viewRun: "Ausführung ansehen",
  viewRunOf: (agent) => `Ausführung von ${agent} ansehen`,
  failed: "Die Antwort wurde nicht gesendet",
  outcomes: {
    answered: (label) => `Beantwortet: ${label}. Die Ausführung geht weiter.`,
    late: "Jemand anderes hat zuerst geantwortet, oder die Ausführung ist beendet. Die Antwort wurde nicht verwendet.",
    gone: "Jemand anderes hat diese Frage beantwortet, oder die Ausführung ist beendet.",
  },
  range: (from, to, total) => `${formatNumber(from)}–${formatNumber(to)} von ${formatNumber(total)}`,
  pages: "Seiten der Fragen",
  previousPage: "Vorherige Seite",
  nextPage: "Nächste Seite",
};
