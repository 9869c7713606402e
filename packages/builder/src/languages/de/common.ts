import type { Areas } from "../areas.ts";
import { formatNumber } from "../index.ts";
import { counted } from "./plural.ts";

export const common: Areas["common"] = {
  uses: {
    title: "Verwendet von",
    none: "Nichts verwendet es.",
    step: (name, step) => `${name}: Schritt „${step}“`,
    draft: (name) => `${name} (Entwurf)`,
    defaultModel: "Das Standardmodell",
    more: (count) => `und ${counted(count, "weitere Stelle", "weitere Stellen")}`,
  },
  cancel: "Abbrechen",
  save: "Speichern",
  saved: "Gespeichert",
  reload: "Neu laden",
  create: "Erstellen",
  delete: "Löschen",
  edit: "Bearbeiten",
  close: "Schließen",
  done: "Fertig",
  copy: "Kopieren",
  copied: "Kopiert",
  copyCode: "Code kopieren",
  duplicate: "Duplizieren",
  name: "Name",
  type: "Typ",
  value: "Wert",
  updated: "Geändert",
  created: "Erstellt",
  actionsOf: (name) => `Aktionen für ${name}`,
  actions: "Aktionen",
  labelled: (label, value) => `${label}: ${value}`,
  optional: "Optional",
  showPassword: "Passwort zeigen oder verbergen",
  nothingFound: (text) => `Keine Ergebnisse für „${text}“.`,
  clearSearch: "Suche leeren",
  loading: "Wird geladen",
  leaveTitle: "Ohne Speichern verlassen?",
  leave: "Verlassen",
  stay: "Bleiben",
  justNow: "gerade eben",
  units: { ms: "ms", s: "s", min: "min", h: "h", d: "d" },
};

export const error: Areas["error"] = {
  conflict:
    "Jemand anderes hat dies inzwischen geändert, daher wurde die Änderung nicht gespeichert. Die aktuelle Version laden und die Änderung wiederholen.",
  title: "Etwas ist schiefgegangen",
  unreachable:
    "Der Server ist nicht erreichbar. Prüfen, ob er läuft und ob eine Verbindung besteht, dann erneut versuchen.",
  unknown:
    "Auf dieser Seite ist ein unerwarteter Fehler aufgetreten. Neu laden und den Fehler melden, falls er wieder auftritt.",
  status: (status) => `Der Server hat mit Status ${status} geantwortet. Die Ursache steht in seinem Protokoll.`,
  retry: "Erneut versuchen",
  reload: "Seite neu laden",
  requestId: (id) => `Anfrage ${id}`,
  pageTitle: "Diese Seite konnte nicht angezeigt werden",
  newVersion: "Der Builder wurde auf dem Server aktualisiert. Neu laden, um die neue Version zu verwenden.",
  notFoundTitle: "Seite nicht gefunden",
  notFoundText: "Die Adresse prüfen. Worauf sie verwies, wurde vielleicht gelöscht.",
  toAgents: "Zu den Agenten",
};

export const shell: Areas["shell"] = {
  product: "Weft",
  navigation: "Hauptnavigation",
  skipToContent: "Zum Inhalt springen",
  home: "Start",
  agents: "Agenten",
  assistants: "Assistenten",
  executions: "Ausführungen",
  inbox: "Eingang",
  inboxCount: (count) => `${counted(count, "Ausführung wartet", "Ausführungen warten")} auf eine Antwort`,
  inboxShortCount: (count) => (count > 99 ? "99+" : String(count)),
  documentStores: "Dokumentenspeicher",
  tools: "Tools",
  models: "Modelle",
  prices: "Preise",
  credentials: "Anmeldedaten",
  variables: "Variablen",
  apiKeys: "API-Schlüssel",
  system: "System",
  settings: "Einstellungen",
  documentation: "API-Dokumentation",
  lightColours: "Helles Design",
  darkColours: "Dunkles Design",
  signOut: "Abmelden",
  loading: "Wird geladen",
  commands: {
    title: "Gehe zu oder mache",
    open: "Gehe zu",
    search: "Seite, Agent oder Aktion suchen",
    here: "Auf dieser Seite",
    create: "Neu",
    newAgent: "Neuer Agent",
    newFromTemplate: "Neuer Agent aus einer Vorlage",
    importAgent: "Agenten importieren",
    moveFromFlowise: "Von Flowise umziehen",
    pages: "Seiten",
    everywhere: "Überall",
    nothing: (text) => `Nichts passt zu „${text}“.`,
  },
};

export const volume: Areas["volume"] = {
  volumeSummary: (runs, failures) =>
    `${counted(runs, "Ausführung", "Ausführungen")}, ${formatNumber(failures)} fehlgeschlagen`,
  part: (start, runs, failures) => `${start}: ${volume.volumeSummary(runs, failures)}`,
};

export const runState: Areas["runState"] = {
  INPROGRESS: "Läuft",
  FINISHED: "Fertig",
  ERROR: "Fehlgeschlagen",
  TIMEOUT: "Zeit abgelaufen",
  TERMINATED: "Abgebrochen",
  STOPPED: "Wartet",
};

export const json: Areas["json"] = {
  items: (count) => counted(count, "Element", "Elemente"),
  members: (count) => counted(count, "Feld", "Felder"),
  showAll: (count) => `Alle ${formatNumber(count)} anzeigen`,
  showMore: (count, rest) => `${formatNumber(count)} weitere von ${formatNumber(rest)} anzeigen`,
  showCharacters: (count) => `Alle ${formatNumber(count)} Zeichen anzeigen`,
  copyValue: (name) => `Wert von ${name} kopieren`,
  copyPath: (name) => `Pfad von ${name} kopieren`,
};
