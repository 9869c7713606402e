import type { Areas } from "../areas.ts";
import { formatList } from "../index.ts";
import { counted, plural } from "./plural.ts";

export const imports: Areas["import"] = {
  title: "Agenten importieren",
  back: "Agenten",
  files: "Dateien",
  text: "Die Dateien eines Agenten hier ablegen: einen Flow von Weft oder AgentFlow V2, einen klassischen Chatflow, einen Multi-Agent-Flow von Flowise, einen Workflow von Microsoft Foundry mit seinen Agenten oder den Code, den OpenAI Agent Builder exportiert.",
  choose: "Dateien wählen",
  add: "Dateien hinzufügen",
  paste: "Oder den Text einer Datei einfügen",
  remove: (name) => `${name} entfernen`,
  pasted: "Eingefügter Text",
  tooLarge: (name) => `${name} ist größer als 4 MB und damit größer als jeder Flow. Eine andere Datei wählen.`,
  name: "Name",
  nameHelp: "Wie der Agent heißt.",
  fallbackName: "Importierter Flow",
  several: (count) => `Die Datei enthält ${counted(count, "Flow", "Flows")}`,
  chooseFlow: "Einen wählen",
  choices: "Zuordnen",
  choicesText:
    "Die Dateien nennen diese nur beim Namen. Jetzt oder später im Editor angeben, wofür sie auf diesem Server stehen.",
  missingText: "Der Flow braucht diese, und dieser Server hat sie so nicht. Jetzt oder später im Editor wählen.",
  kinds: {
    model: (name) => `Modell anstelle von ${name}`,
    agent: (name) => `Agent „${name}“`,
    "document-store": (name) => `Dokumentenspeicher anstelle von ${name}`,
    credential: (name) => `Anmeldedaten anstelle von ${name}`,
  },
  defaultModels: (count) => plural(count, "Standardmodell verwenden", "Für alle das Standardmodell verwenden"),
  secrets: "Geheimnisse",
  secretsText:
    "Die Dateien enthalten diese Geheimnisse. Sie werden verschlüsselt als Anmeldedaten gespeichert und nie Teil des Flows. Beim Anbieter ersetzen: Wer die Dateien hatte, konnte sie lesen.",
  sentTo: (host) => `nur an ${host} gesendet`,
  findings: "Gut zu wissen",
  counts: ({ exact, approximate, refused }) =>
    `${formatList([
      `${exact} ${plural(exact, "Schritt ist", "Schritte sind")} genau umgewandelt`,
      ...(approximate > 0 ? [`${approximate} mit Anmerkung`] : []),
      ...(refused > 0 ? [`${refused} ${plural(refused, "braucht", "brauchen")} Aufmerksamkeit`] : []),
    ])}.`,
  submit: "Importieren",
  unread: "Diese Dateien sind nicht lesbar",
  empty: "Der Flow erscheint hier, bevor etwas gespeichert wird.",
};
