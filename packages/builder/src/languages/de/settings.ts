import type { Areas } from "../areas.ts";
import { formatList } from "../index.ts";
import { counted } from "./plural.ts";

export const settings: Areas["settings"] = {
  title: "Einstellungen",
  account: "Konto",
  name: "Name",
  email: "E-Mail",
  unnamed: "Kein Name",
  operator:
    "Angemeldet mit einem Token der Kommandozeile. Es gehört zu keinem Konto, daher gibt es kein Passwort zu ändern.",
  password: "Passwort",
  passwordText: "Eine Änderung meldet alle anderen Geräte ab.",
  currentPassword: "Aktuelles Passwort",
  newPassword: "Neues Passwort",
  newPasswordHint: "Mindestens 8 Zeichen.",
  changePassword: "Passwort ändern",
  passwordChanged: "Das Passwort wurde geändert. Alle anderen Geräte sind abgemeldet.",
  everywhere: "Überall abmelden",
  everywhereText:
    "Ein Gerät verloren oder angemeldet zurückgelassen? Mit dem Passwort alle Sitzungen des Kontos beenden, auch diese. API-Schlüssel sind nicht betroffen.",
  everywhereSubmit: "Überall abmelden",
  appearance: "Darstellung",
  colours: "Farben",
  schemes: { auto: "System", light: "Hell", dark: "Dunkel" },
  language: "Sprache",
  languageHelp: "Beschriftungen von Schritten und Fehlermeldungen des Servers bleiben englisch.",
  browserLanguage: (name) => `Wie im Browser (${name})`,
  flowise: "Umzug von Flowise",
  flowiseText:
    "Übernimmt eine ganze Flowise-Installation aus ihrer Datenbank: Agenten, Anmeldedaten, API-Schlüssel, Dokumentenspeicher und Chats, unter denselben IDs.",
  flowiseOpen: "Umzug beginnen",
  retention: "Wie lange Daten bleiben",
  retentionText:
    "Der Betreiber ändert das mit Umgebungsvariablen des Servers. Alles lässt sich früher löschen, einzeln nach Chat oder für eine Person.",
  retentionKinds: {
    runs: "Beendete Ausführungen",
    payloads: "Große Ein- und Ausgaben ihrer Schritte",
    upserts: "Protokolle der Upserts",
    "visitor-chats": "Chats von Besuchern",
    chats: "Andere Chats und Bewertungen",
    leads: "Kontakte",
    uploads: "Dateien von Chats ohne Ausführungen",
    "unsent-files": "Dateien von Chats, die nie beginnen",
    logs: "Serverprotokolle",
  },
  untilDeleted: "Bis sie gelöscht werden",
  notKept: "Gar nicht: Sie gehen an die Ausgabe des Servers",
  retentionSetting: (name) => `Festgelegt durch ${name}`,
  about: "Über",
  version: "Serverversion",
  documentation: "API-Dokumentation",
};

export const variables: Areas["variables"] = {
  title: "Variablen",
  summary: "Werte, die jeder Flow lesen kann: {{ $vars.name }} in Text, $vars.name in Code.",
  create: "Neue Variable",
  createTitle: "Neue Variable",
  editTitle: "Variable bearbeiten",
  search: "Variablen suchen",
  emptyTitle: "Noch keine Variablen",
  emptyText:
    "Werte ablegen, die mehrere Flows teilen, etwa eine Adresse, eine Stadt oder ein Limit. Hier geändert, verwenden alle Flows den neuen Wert.",
  nameHint: "Buchstaben, Ziffern und Unterstriche, damit Code sie als $vars.name lesen kann.",
  types: {
    string: "Text",
    number: "Zahl",
    boolean: "Ja oder nein",
    json: "JSON",
    runtime: "Aus der Umgebung des Servers",
    static: "Text (statisch)",
  },
  runtimeHint:
    "Wird bei jeder Ausführung aus der gleichnamigen Umgebungsvariablen gelesen. Welche Namen erlaubt sind, steht in RUNTIME_VARIABLES.",
  runtimeValue: "Wird bei der Ausführung gelesen",
  yes: "true",
  no: "false",
  noValue: "Leer",
  saved: (name) => `„${name}“ wurde gespeichert.`,
  deleted: (name) => `„${name}“ wurde gelöscht.`,
  deleteTitle: "Diese Variable löschen?",
  deleteText: (name) => `Flows, die $vars.${name} lesen, erhalten keinen Wert. Das lässt sich nicht rückgängig machen.`,
};

export const credentials: Areas["credentials"] = {
  title: "Anmeldedaten",
  summary:
    "Schlüssel und Passwörter für Modelle und Integrationen. Verschlüsselt gespeichert und nie wieder angezeigt.",
  create: "Neue Anmeldedaten",
  createTitle: "Neue Anmeldedaten",
  editTitle: "Anmeldedaten bearbeiten",
  emptyTitle: "Noch keine Anmeldedaten",
  emptyText:
    "Den Schlüssel für einen Modellanbieter oder einen Dienst hinzufügen, den Flows aufrufen. Flows verweisen auf den Namen und sehen den Wert nie.",
  modelGroup: "Modelle",
  otherGroup: "Dienste, die Flows aufrufen",
  earlierGroup: "Von bestehenden Clients verwendete Namen",
  keepsValue: "Leer lassen, um den gespeicherten Wert zu behalten",
  isSet: "Ein Wert ist gespeichert",
  optional: (title) => `${title} (freiwillig)`,
  values: "Werte",
  remove: "Gespeicherten Wert entfernen",
  unreadable: "Unlesbar",
  unreadableText:
    "Die gespeicherten Werte lassen sich nicht entschlüsseln, weil sich der Schlüssel des Servers geändert hat. Neu eingeben und speichern.",
  unknownType:
    "Dieser Server unterstützt diese Art von Anmeldedaten nicht. Umbenennen ist möglich; die Werte bleiben erhalten.",
  hosts: "Hosts",
  hostsHelp: (implied) =>
    `Die Anmeldedaten gehen nur an diese Hosts${implied.length === 0 ? "" : ` und an ${formatList(implied)}`}. Beim Veröffentlichen eines Agenten wird gefragt, bevor ein neuer hinzukommt. Zum Beispiel api.example.com, api.example.com:8443 oder *.example.com.`,
  allowedBy: (by, date) => `Erlaubt von ${by} am ${date}`,
  allowedBefore: "Erlaubt, bevor dies festgehalten wurde",
  bind: (host) => `Diese Anmeldedaten für ${host} erlauben`,
  bound: (name, host) => `„${name}“ darf jetzt an ${host} gesendet werden.`,
  saved: (name) => `„${name}“ wurde gespeichert.`,
  deleted: (name) => `„${name}“ wurde gelöscht.`,
  deleteTitle: "Diese Anmeldedaten löschen?",
  deleteText: (name) =>
    `Flows und Modelle mit „${name}“ schlagen fehl, bis andere Anmeldedaten gewählt sind. Das lässt sich nicht rückgängig machen.`,
};

export const models: Areas["models"] = {
  title: "Modelle",
  summary: "Modelle, die Agenten verwenden. Ein Flow kann ein eigenes angeben; sonst gilt das Standardmodell.",
  provider: "Anbieter",
  model: "Modell",
  modelHint:
    "Eines wählen oder einen beliebigen Modellnamen des Anbieters eingeben. Leer lassen für den Standard des Anbieters.",
  optional: (title) => `${title} (freiwillig)`,
  keyStays: "Der Schlüssel wird verschlüsselt auf diesem Server gespeichert und nie wieder angezeigt.",
  refused: "Das Modell hat nicht geantwortet",
  connect: "Modell verbinden",
  connectSubmit: "Testen und verwenden",
  credential: "Anmeldedaten",
  serverKey: "Serverkonfiguration",
  deletedCredential: "Gelöschte Anmeldedaten",

  defaultTitle: "Standardmodell",
  providerDefault: "der Standard des Anbieters",
  chosenHere: "Hier gewählt. Geht der Umgebung des Servers vor.",
  fromConfiguration: "Von der Umgebung des Servers gesetzt. Ein hier verbundenes Modell geht vor.",
  rehearsal:
    "Es ist kein echtes Modell verbunden. Flows verwenden das Probemodell: Es folgt festen Regeln, ist keine KI und sagt das in jeder Antwort.",
  reset: "Serverkonfiguration verwenden",
  wasReset: "Das Standardmodell kommt jetzt aus der Serverkonfiguration.",
  wasChosen: (title) => `${title} ist jetzt das Standardmodell.`,
  change: "Ändern",
  changeTitle: "Standardmodell wählen",
  test: "Verbindung testen",
  testing: "Wird getestet …",
  answered: (model, durationMs) => `${model} hat in ${durationMs} ms geantwortet`,

  providersTitle: "Anbieter",
  isDefault: "Standard",
  images: "Versteht Bilder",
  credentialCount: (count) => counted(count, "Zugang", "Zugänge"),
  noCredential: "Noch keine Anmeldedaten",
  builtIn: "Eingebaut",
  addCredential: "Anmeldedaten hinzufügen",
};
