import type { Areas } from "../areas.ts";
import { formatList, formatNumber } from "../index.ts";
import { plural } from "./plural.ts";

export const flowiseMove: Areas["flowiseMove"] = {
  title: "Umzug von Flowise",
  summary:
    "Übernimmt Agenten, Anmeldedaten, API-Schlüssel, Dokumentenspeicher, Chats und mehr aus einer Datenbank von Flowise, unter denselben IDs. Ein Probelauf zeigt, was geschehen würde, bevor etwas geschrieben wird.",
  back: "Einstellungen",
  forbiddenTitle: "Kein Recht zum Importieren",
  forbiddenText:
    "Eine Installation zu importieren erfordert das Recht installation:import. Die Administration danach fragen.",

  file: "Datei",
  fileText:
    "Flowise anhalten, dann seine database.sqlite wählen, die in DATABASE_PATH oder in ~/.flowise liegt. Ohne Zugang zu jenem Server die ExportData.json wählen, die der Export von Flowise erzeugt; sie enthält keine Anmeldedaten, API-Schlüssel, Leads und Werte von Variablen.",
  commandText:
    "Datenbanken von PostgreSQL, MySQL und MariaDB, Dateien über 2 GiB und die Dateien des Speicherordners lassen sich nur auf dem Server importieren:",
  choose: "Datei wählen",
  chooseAgain: "Datei wählen und fortsetzen",
  emptyFile: (name) => `${name} ist leer. database.sqlite oder ExportData.json wählen.`,
  tooLarge: (name) =>
    `${name} ist größer als 2 GiB, mehr lässt sich nicht hochladen. Stattdessen npm run import-flowise auf dem Server ausführen.`,
  uploading: (name) => `${name} wird hochgeladen`,
  uploaded: (sent, size) => `${sent} von ${size} hochgeladen`,
  uploadGoesOn: "Andere Seiten sind solange nutzbar; dieses Fenster offen lassen.",
  lost: "Die Verbindung ist abgebrochen. Das Hochladen geht weiter, sobald der Server erreichbar ist.",
  stopUpload: "Hochladen anhalten",
  incomplete: (name, received, size) =>
    `${received} von ${size} von ${name} sind hochgeladen. Dieselbe Datei wählen, um fortzusetzen, oder eine andere, um neu zu beginnen.`,
  complete: (name, size) => `${name} (${size}) ist hochgeladen.`,
  remove: "Hochgeladene Datei entfernen",

  choices: "Auswahl",
  key: "Schlüssel zum Entschlüsseln",
  keyText:
    "Der Text von encryption.key, die in SECRETKEY_PATH oder in ~/.flowise liegt, oder der Wert von FLOWISE_SECRETKEY_OVERWRITE. Ohne ihn kommen Anmeldedaten ohne ihre Werte.",
  noKeyNeeded: "ExportData.json enthält keine Anmeldedaten, also ist kein Schlüssel nötig.",
  keyGiven: "Der Server hat den Schlüssel. Er hält ihn nur im Arbeitsspeicher, bis der Import vorüber ist.",
  changeKey: "Schlüssel ändern",
  readKey: "Aus Datei lesen",
  notAKey: (name) => `${name} ist zu groß für einen Schlüssel. encryption.key wählen.`,
  workspace: "Arbeitsbereich",
  allWorkspaces: "Alle Arbeitsbereiche",
  openFlows: "Agenten ohne API-Schlüssel",
  openFlowsText: "In Flowise antworten sie allen. Wählen, was hier aus ihnen wird.",
  openFlowsChoices: {
    closed: "API-Schlüssel verlangen",
    public: "Allen antworten, wenn der Server mit ALLOW_PUBLIC_FLOWS=true läuft",
  },
  destinations: "Anmeldedaten dorthin senden, wohin die Flows sie senden",
  destinationsText:
    "Der Probelauf nennt diese Adressen bei jedem Agenten. Ohne dies rufen Agenten sie erst auf, wenn jede einzeln erlaubt ist.",
  startDryRun: "Probelauf starten",
  repeatDryRun: "Probelauf wiederholen",
  changed: "Die Auswahl ist seit dem letzten Probelauf geändert. Ihn vor dem Import wiederholen.",

  dryRun: "Probelauf",
  import: "Übernahme",
  submit: "Importieren",
  opening: "Die Datei wird geöffnet …",
  reading: (kind, done, total) => `${kind}: ${formatNumber(done)} von ${formatNumber(total)} gelesen`,
  goesOn: "Der Server macht weiter, auch wenn diese Seite geschlossen wird. Später zeigt sie den Bericht.",
  outOfReach: "Der Server ist gerade nicht erreichbar. Was er tat, geht dort weiter, wenn er noch läuft.",
  stop: "Anhalten",
  stopTitle: "Anhalten und die Datei entfernen?",
  stopDryRunText: "Es wurde nichts geschrieben. Die hochgeladene Datei und der Schlüssel werden vom Server entfernt.",
  stopImportText:
    "Was schon importiert ist, bleibt. Die hochgeladene Datei und der Schlüssel werden vom Server entfernt; um den Rest hinzuzufügen, die Datei noch einmal hochladen und importieren.",
  dryRunFailed: "Der Probelauf ist fehlgeschlagen",
  importFailed: "Der Import ist fehlgeschlagen",

  wouldAdd: (rows) =>
    `Ein Import würde ${formatNumber(rows)} ${plural(rows, "Eintrag", "Einträge")} hinzufügen. Noch ist nichts geschrieben.`,
  nothingToAdd: "Alles in dieser Datei ist schon hier. Ein Import würde nichts schreiben.",
  added: (rows) => `${formatNumber(rows)} ${plural(rows, "Eintrag wurde", "Einträge wurden")} importiert.`,
  nothingAdded: "Alles in dieser Datei war schon hier. Es wurde nichts geschrieben.",
  removed:
    "Die hochgeladene Datei und der Schlüssel sind vom Server entfernt. Dieser Bericht bleibt bis zum Neustart des Servers.",
  downloadReport: "Bericht herunterladen",
  close: "Bericht schließen",

  counts: "Einträge nach Art",
  kind: "Art",
  columns: { read: "Gelesen", written: "Neu", there: "Schon hier", left: "Ausgelassen" },
  kinds: {
    credential: "Anmeldedaten",
    variable: "Variablen",
    tool: "Tools",
    custom_mcp_server: "MCP-Server",
    apikey: "API-Schlüssel",
    document_store: "Dokumentenspeicher",
    "document_store.loaders": "Geladene Quellen",
    document_store_file_chunk: "Chunks",
    chat_flow: "Agenten",
    assistant: "Assistenten",
    schedule_record: "Zeitpläne",
    chat_message: "Chatnachrichten",
    "files of chats": "Dateien aus Chats",
    chat_message_feedback: "Feedback",
    lead: "Leads",
    upsert_history: "Verlauf der Indexierung",
    execution: "Ausführungen",
  },
  left: "Ausgelassen, und warum",

  todo: "Was zu tun ist",
  environment:
    "Dies in der Umgebung des Servers setzen und ihn neu starten. Ist eine Variable schon gesetzt, ihre Liste ergänzen.",
  publicFlows: "Öffentliche Agenten antworten allen, sobald ALLOW_PUBLIC_FLOWS=true gesetzt ist.",
  runtimeVariables: (names) =>
    `Flows lesen ${formatList(names)} aus der Umgebung: dort jede setzen und in RUNTIME_VARIABLES nennen.`,
  privateHosts: (hosts) =>
    `Flows rufen ${formatList(hosts)} in einem privaten Netz auf. In EGRESS_ALLOW nur lassen, was sie erreichen sollen.`,
  schedules: (names) =>
    `Zeitpläne kommen ausgeschaltet. Sobald Flowise angehalten ist, sie hier einschalten: ${formatList(names)}.`,
  embedding: (stores) =>
    `Passagen werden neu eingebettet für ${formatList(stores)}. Der Fortschritt steht bei den Dokumentenspeichern.`,
  openStores: "Dokumentenspeicher öffnen",

  agents: "Agenten",
  agentCounts: (clear, withFindings) =>
    `${formatNumber(clear)} ohne Befunde, ${formatNumber(withFindings)} mit Befunden`,
  access: {
    key: "Verlangt seinen API-Schlüssel, wie in Flowise",
    public: "Für alle offen, wie in Flowise",
    closed: "Verlangt einen API-Schlüssel; in Flowise antwortete er allen",
  },
  notMoved: (counts) => `Nicht übernommen, weil es hier keine Entsprechung gibt: ${counts.join(", ")}.`,
};
