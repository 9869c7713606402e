import type { Areas } from "../areas.ts";
import { formatList } from "../index.ts";

export const transfer: Areas["transfer"] = {
  title: "Export und Import",
  text: "Überträgt Agenten, Tools, Variablen, Assistenten und Dokumentenspeicher als eine Datei zwischen Installationen. Werte von Anmeldedaten, API-Schlüssel, Dokumente, Chats und Ausführungen bleiben hier.",
  withVersions: "Frühere Versionen der Agenten einschließen",
  download: "Export herunterladen",
  fileName: (isoDay) => `weft-export-${isoDay}.json`,
  choose: "Exportdatei wählen",
  notJson: (name) => `${name} ist kein gültiges JSON. Eine Datei wählen, die als Export heruntergeladen wurde.`,
  checking: "Die Datei wird geprüft …",
  preview: (name) => `Was ein Import von ${name} tun würde. Noch ist nichts geändert.`,
  nothingToDo: (name) => `Ein Import von ${name} würde hier nichts ändern.`,
  imported: (name) => `${name} wurde importiert.`,
  report: "Einträge nach Art",
  mode: "Wenn ein Eintrag vom hiesigen abweicht",
  modes: { skip: "Hiesigen behalten", overwrite: "Mit der Datei überschreiben" },
  kind: "Art",
  kinds: {
    agents: "Agenten",
    assistants: "Assistenten",
    tools: "Tools",
    variables: "Variablen",
    documentStores: "Dokumentenspeicher",
  },
  outcomes: { added: "Hinzugefügt", unchanged: "Unverändert", overwritten: "Überschrieben", skipped: "Behalten" },
  named: (outcome, names) => `${outcome}: ${formatList(names)}`,
  next: "Nächste Schritte",
  submit: "Importieren",
  cancel: "Abbrechen",
  done: "Fertig",
};
