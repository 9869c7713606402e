import type { Areas } from "../areas.ts";
import { languageTag } from "../index.ts";
import { counted } from "./plural.ts";

export const prices: Areas["prices"] = {
  title: "Preise",
  summary:
    "Was Modellaufrufe kosten, in US-Dollar für eine Million Token. Ausführungen nutzen diese Preise, sobald sie festgelegt sind.",
  sourceTitle: "Preisliste",
  sourceText: (count, date) =>
    `${counted(count, "Modell", "Modelle")}, Stand ${date}. Die Liste ist Teil dieser Version und wird nie abgerufen.`,
  source: "Quelle",
  licence: "Lizenz",
  date: "Datum",
  table: "Modelle",
  search: "Modelle suchen",
  emptyTitle: "Noch kein Modell aufgerufen",
  emptyText:
    "Modelle erscheinen hier, sobald eine Ausführung sie aufgerufen hat. Preise lassen sich schon vorher festlegen.",
  model: "Modell",
  input: "Eingabe",
  output: "Ausgabe",
  origin: "Herkunft",
  none: "–",
  dollars: (amount) =>
    `$${amount.toLocaleString(languageTag(), { minimumFractionDigits: 2, maximumFractionDigits: 6 })}`,
  origins: {
    set: "Hier festgelegt",
    environment: "Serverkonfiguration",
    list: "Preisliste",
    none: "Kein Preis",
  },
  noPriceHint: "Ausführungen haben keine Kosten, bis ein Preis festgelegt ist.",
  add: "Preis festlegen",
  edit: "Preis ändern",
  reset: "Eigenen Preis entfernen",
  addTitle: "Preis eines Modells festlegen",
  editTitle: (model) => `Preis von ${model}`,
  modelHint: "Anbieter und Name, wie in Ausführungen: openai/gpt-4o-mini",
  inputLabel: "Eingabe, Dollar für eine Million Token",
  outputLabel: "Ausgabe, Dollar für eine Million Token",
  badModel: "Anbieter und Name mit Schrägstrich dazwischen eingeben, etwa openai/gpt-4o-mini.",
  badPrice: "Einen Betrag in Dollar eingeben: mindestens 0, höchstens 1.000.000.",
  unknownModel:
    "Weder die Preisliste noch eine Ausführung kennt dieses Modell. Der Preis gilt, sobald eine Ausführung es aufruft.",
  listed: (input, output) => `Laut Preisliste ${input} für Eingabe und ${output} für Ausgabe.`,
  saved: (model) => `Ausführungen von ${model} kosten ab jetzt so viel. Frühere Kosten bleiben.`,
  removed: (model) => `Der eigene Preis von ${model} wurde entfernt.`,
};
