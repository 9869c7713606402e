import type { Areas } from "../areas.ts";
import { formatNumber, withDecimals } from "../index.ts";
import { counted } from "./plural.ts";

export const storeQuestion: Areas["storeQuestion"] = {
  addTitle: "Frage hinzufügen",
  editTitle: "Frage bearbeiten",
  add: "Frage hinzufügen",
  question: "Frage",
  documents: "Dokumente, die sie beantworten",
  documentsHelp: "Eines pro Zeile, wie in Suchergebnissen benannt. Jedes davon zählt.",
  words: "Die Passage muss enthalten",
  wordsHelp: "Optional, ein Text pro Zeile. Eine Passage zählt nur, wenn sie alle enthält.",
  store: "Dokumentspeicher",
  added: "Die Frage wurde zu den Fragen des Speichers hinzugefügt.",
  saved: "Die Frage wurde gespeichert.",
  fromAnswer: "Zu den Fragen hinzufügen",
  noStore: "Den Dokumentspeicher dieser Quellen gibt es nicht mehr.",
};

export const storeQuestions: Areas["storeQuestions"] = {
  tab: "Fragen",
  title: "Fragen mit erwarteten Dokumenten",
  help: "Fragen mit den Dokumenten, die dazu gefunden werden sollen. Nach einer Änderung prüfen, ob der Speicher besser oder schlechter antwortet.",
  emptyTitle: "Noch keine Fragen",
  emptyText:
    "Fragen hinzufügen, die wirklich gestellt werden, mit den Dokumenten, die sie beantworten: hier, aus einer Suche unter „Abfrage“ oder aus einer Antwort im Chat.",
  add: "Frage hinzufügen",
  import: "Importieren",
  export: "Exportieren",
  imported: (added, skipped) =>
    `${counted(added, "Frage", "Fragen")} hinzugefügt, ${formatNumber(skipped)} schon vorhanden.`,
  check: "Jetzt prüfen",
  checking: "Fragen werden geprüft",
  progress: (done, total) => `${formatNumber(done)} von ${counted(total, "Frage", "Fragen")} gestellt`,
  cancel: "Abbrechen",
  cancelled: "Die Prüfung wurde abgebrochen. Nichts davon wurde gespeichert.",
  checked: (regressions) =>
    regressions === 0
      ? "Alle Fragen wurden geprüft."
      : `${counted(regressions, "Frage wird", "Fragen werden")} schlechter beantwortet.`,

  afterIndexing: "Fragen nach jeder Indexierung prüfen",
  afterIndexingHelp:
    "Wenn sich Dokumente geändert haben, werden nach der Indexierung alle Fragen gestellt. Sinkt der Recall, steht das hier, im Log und in den Metriken.",
  checkWaiting: "Dokumente haben sich geändert. Die Fragen werden geprüft, sobald die Indexierung beendet ist.",
  checkFailed: "Die letzte Prüfung nach einer Indexierung ist fehlgeschlagen",
  results: "Letzte Prüfung",
  causedByIndexing: "nach Indexierung",
  dropTitle: (drop) => `Recall@5 ist um ${withDecimals(drop, 3)} gesunken`,
  dropText:
    "Unter den ersten fünf sind weniger erwartete Dokumente als bei der vorigen Prüfung. Fragen, die schlechter beantwortet werden, stehen unten zuerst.",
  recall1Help: "Anteil der erwarteten Dokumente, die an erster Stelle standen",
  recall5Help: "Anteil der erwarteten Dokumente unter den ersten fünf",
  mrrHelp: "Mittelwert von 1 / Platz des ersten richtigen Dokuments",
  change: (difference) => `${difference > 0 ? "+" : "−"}${withDecimals(Math.abs(difference), 3)}`,
  unchanged: "unverändert",
  settings: (model, mode, splitters, reranker) => `${model} · ${mode} · ${splitters} · ${reranker}`,
  noReranker: "nicht neu bewertet",
  took: (questions, ms) => `${counted(questions, "Frage", "Fragen")} in ${formatNumber(ms)} ms`,
  chart: "Verlauf",
  chartSummary: (checks, first, last) =>
    `Recall und MRR von ${counted(checks, "Prüfung", "Prüfungen")}; MRR von ${first} bis ${last}`,

  list: "Liste der Fragen",
  search: "Fragen durchsuchen",
  question: "Frage",
  expected: "Erwartet",
  mustContain: (words) => `mit „${words}“`,
  place: "Platz",
  notFound: "Nicht gefunden",
  notChecked: "Noch nicht geprüft",
  was: (place) => `vorher ${place}`,
  wasNotFound: "vorher nicht gefunden",
  worse: "Schlechter",
  better: "Besser",
  found: "Gefundene Passagen",
  nothingFound: "Es wurde nichts gefunden.",
  right: "Richtig",
  deleteTitle: "Diese Frage löschen?",
  deleteText: (question) => `Löscht „${question}“ aus den Fragen. Frühere Prüfungen behalten ihre Zahlen.`,
  passageIsRight: "Diese Passage ist richtig",
};
