import type { Areas } from "../areas.ts";
import { counted } from "./plural.ts";

export const newAgent: Areas["newAgent"] = {
  title: "Neuer Agent",
  summary: "Mit einem Flow beginnen, der funktioniert, und ihn anpassen, oder einen eigenen mitbringen.",
  blank: "Leer",
  blankText: "Ein Modell, das antwortet. Weitere Schritte selbst hinzufügen.",
  import: "Importieren",
  importText:
    "Eine Datei oder eingefügter Text: Weft, AgentFlow V2, klassische Chatflows, Multi-Agent-Flows, Microsoft Foundry, OpenAI Agent Builder.",
  templates: "Vorlagen",
  search: "Vorlagen suchen",
  category: "Kategorie",
  all: "Alle",
  categories: {
    support: "Support",
    research: "Recherche",
    data: "Daten",
    content: "Inhalte",
    operations: "Betrieb",
  },
  needs: "Benötigt",
  picture: (steps) => `Bild eines Flows mit ${counted(steps, "Schritt", "Schritten")}`,
  count: (count) => counted(count, "Vorlage", "Vorlagen"),
  name: "Name",
  blankName: "Agent ohne Namen",
  model: "Modell für alle Schritte",
  otherModel: "Modell wechseln",
  address: "Basisadresse ohne Pfad",
  later: "Noch Fehlendes leer lassen. Der Editor führt es auf.",
  submit: "Erstellen und öffnen",
};
