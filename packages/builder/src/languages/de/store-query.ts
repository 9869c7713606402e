import type { Areas } from "../areas.ts";
import { formatNumber } from "../index.ts";

export const storeQuery: Areas["storeQuery"] = {
  compare: "Vergleich",
  compareHelp: "Stellt dieselbe Frage in jedem Modus und zeigt die Ergebnisse nebeneinander.",
  asSetUp: "Wie eingestellt",
  asSetUpHelp:
    "„Wie eingestellt“ sucht mit den Einstellungen des Speichers, etwa einer Neubewertung; die anderen Modi lassen sie weg.",
  column: (mode) => `Passagen: ${mode}`,
  places: {
    keyword: (place) => `Platz ${place} nach Wörtern`,
    vector: (place) => `Platz ${place} nach Bedeutung`,
    hybrid: (place) => `Platz ${place} hybrid`,
    store: (place) => `Platz ${place} wie eingestellt`,
  },
  absent: {
    keyword: (depth) => `nach Wörtern nicht unter den ersten ${depth}`,
    vector: (depth) => `nach Bedeutung nicht unter den ersten ${depth}`,
    hybrid: (depth) => `hybrid nicht unter den ersten ${depth}`,
    store: (depth) => `wie eingestellt nicht unter den ersten ${depth}`,
  },
  showAll: "Alles anzeigen",
  showLess: "Weniger anzeigen",

  filter: "Eingrenzen",
  filterOf: (conditions) => `Eingrenzen (${formatNumber(conditions)})`,
  filterJson: "Filter als JSON",
  filterHelp:
    "Gefunden werden nur Passagen, deren Metadaten alle Bedingungen erfüllen. Zahlen, true und false werden als solche verglichen, in Anführungszeichen als Text.",
  asFields: "Felder",
  asJson: "JSON",
  filterAs: "Filter schreiben als",
  condition: (number) => `Bedingung ${number}`,
  field: "Metadaten",
  operator: "Operator",
  operators: {
    $eq: "ist",
    $ne: "ist nicht",
    $in: "ist eines von",
    $nin: "ist keines von",
    $gt: "größer als",
    $gte: "mindestens",
    $lt: "kleiner als",
    $lte: "höchstens",
    present: "ist vorhanden",
    absent: "fehlt",
  },
  value: "Wert",
  valuesPlaceholder: "eins, zwei, drei",
  addCondition: "Bedingung hinzufügen",
  removeCondition: (number) => `Bedingung ${number} entfernen`,
  jsonWrong: "Der Filter muss ein JSON-Objekt sein.",
};
