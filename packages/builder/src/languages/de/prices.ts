import type { Areas } from "../areas.ts";
import { formatDollars } from "../index.ts";
import { counted } from "./plural.ts";

export const prices: Areas["prices"] = {
  title: "Preise",
  summary:
    "Was Modellaufrufe kosten, in US-Dollar je Million Token. Ausführungen verwenden diese Preise ab dem Moment, in dem sie gesetzt sind.",
  sourceTitle: "Preisliste",
  sourceText: (count, date) =>
    `${counted(count, "Modell", "Modelle")}, Stand ${date}. Die Liste gehört zu dieser Version und wird nie nachgeladen.`,
  source: "Quelle",
  licence: "Lizenz",
  date: "Datum",
  table: "Modelle",
  search: "Modelle suchen",
  emptyTitle: "Noch kein Modell wurde aufgerufen",
  emptyText:
    "Modelle erscheinen hier, sobald eine Ausführung sie aufgerufen hat. Preise lassen sich schon vorher setzen.",
  model: "Modell",
  input: "Eingabe",
  output: "Ausgabe",
  origin: "Herkunft",
  none: "–",
  dollars: (amount) => formatDollars(amount, 2, 6),
  origins: {
    set: "Hier gesetzt",
    environment: "Serverkonfiguration",
    list: "Preisliste",
    none: "Kein Preis",
  },
  noPriceHint: "Seine Ausführungen haben keine Kosten, bis ein Preis gesetzt ist.",
  add: "Preis setzen",
  edit: "Preis ändern",
  reset: "Eigenen Preis entfernen",
  addTitle: "Den Preis eines Modells setzen",
  editTitle: (model) => `Preis von ${model}`,
  modelHint: "Anbieter und Name, wie Ausführungen sie zeigen: openai/gpt-4o-mini",
  inputLabel: "Eingabe, Dollar je Million Token",
  outputLabel: "Ausgabe, Dollar je Million Token",
  badModel: "Anbieter und Name mit Schrägstrich dazwischen eingeben, etwa openai/gpt-4o-mini.",
  badPrice: "Einen Betrag in Dollar eingeben: 0 oder mehr, höchstens 1.000.000.",
  unknownModel:
    "Weder die Preisliste noch eine Ausführung kennt dieses Modell. Der Preis gilt, sobald eine Ausführung es aufruft.",
  listed: (input, output) => `Laut Preisliste ${input} für Eingabe und ${output} für Ausgabe.`,
  saved: (model) => `Ausführungen mit ${model} kosten ab jetzt so viel. Frühere Kosten bleiben.`,
  removed: (model) => `Der eigene Preis von ${model} wurde entfernt.`,
};
