import type { Areas } from "../areas.ts";
import { formatNumber } from "../index.ts";

export const tools: Areas["tools"] = {
  title: "Tools",
  summary:
    "JavaScript-Funktionen, die Agenten aufrufen können. Sie laufen in einer Sandbox und erreichen andere Dienste nur über fetch.",
  create: "Neues Tool",
  search: "Tools suchen",
  emptyTitle: "Noch keine Tools",
  emptyText: "Ein Tool gibt einem Agenten eigenen Code: Systeme abfragen, einen Preis berechnen, etwas nachschlagen.",
  parameters: "Parameter",
  noParameters: "Keine",
  notReadable: "JSON Schema",
  deleteTitle: "Dieses Tool löschen?",
  deleteText: (name) =>
    `Agenten, die „${name}“ verwenden, schlagen beim Ausführen fehl. Das lässt sich nicht rückgängig machen.`,
  deleted: (name) => `„${name}“ wurde gelöscht.`,
  saved: (name) => `„${name}“ wurde gespeichert.`,
  copyOf: (name) => `${name}_kopie`,

  newTitle: "Neues Tool",
  back: "Alle Tools",
  name: "Name",
  nameHelp: "Der Name, den das Modell verwendet. Erlaubt sind Buchstaben, Ziffern und _.",
  namePlaceholder: "get_weather",
  description: "Beschreibung",
  descriptionHelp: "Sagt dem Modell, was das Tool tut und wann es aufzurufen ist.",
  descriptionPlaceholder: "Gibt das heutige Wetter einer Stadt zurück.",
  colour: "Farbe",
  icon: "Symbol",
  iconUpload: "Hochladen",
  iconRemove: "Entfernen",
  iconTooLarge: (limitKb) => `Ein Bild darf höchstens ${limitKb} kB groß sein.`,
  iconRemote: "Bilder anderer Websites bleiben erhalten, werden hier aber nicht gezeigt.",
  parametersHelp: "Füllt das Modell aus. Der Code liest jeden als $name.",
  code: "Code",
  codeHelp:
    "Der Rumpf einer async-Funktion; das Ergebnis mit return zurückgeben. Text geht unverändert an das Modell, alles andere als JSON.",
  codePlaceholder: 'const response = await fetch("https://example.com/" + $city);\nreturn await response.text();',
  known: "Im Code verfügbar",
  knownNames: {
    vars: "die Variablen, zum Beispiel $vars.company",
    flow: "die Ausführung: chatId, sessionId, input, state",
    fetch: "HTTP-Anfragen nach den Regeln des Servers",
  },
  parameter: "Parameter",
  test: "Ausprobieren",
  testHelp: "Ruft das Tool wirklich auf, mit dem Code in diesem Formular.",
  run: "Ausführen",
  stop: "Abbrechen",
  saveFirst: "Zum Ausprobieren das Tool speichern.",
  noInput: "Dieses Tool hat keine Parameter.",
  result: "Ergebnis",
  failed: "Der Code ist fehlgeschlagen",
  logs: "Konsole",
  duration: (ms) => `${formatNumber(ms)} ms`,
  emptyResult: "Leerer Text",

  leave: "Die Änderungen an diesem Tool sind nicht gespeichert.",
  conflict:
    "Jemand anderes hat dieses Tool inzwischen gespeichert. Neu laden zeigt diese Änderungen; die eigenen gehen verloren.",
};
