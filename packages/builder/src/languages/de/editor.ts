import type { Areas } from "../areas.ts";
import { counted } from "./plural.ts";

const warningsOf = (count: number) => counted(count, "Warnung", "Warnungen");
const problemsOf = (count: number) => counted(count, "Problem", "Probleme");

export const editor: Areas["canvas"]["editor"] = {
  opening: "Der Agent wird geöffnet",
  notOpened: "Der Agent konnte nicht geöffnet werden",
  notSaved: "Nicht gespeichert",
  missingStep: (id) => `Schritt ${id} ist nicht mehr in diesem Flow.`,
  back: "Alle Agenten",
  name: "Name des Agenten",
  draft: {
    saved: "Entwurf gespeichert",
    waiting: "Entwurf in Bearbeitung",
    saving: "Entwurf wird gespeichert …",
    changed:
      "Jemand anderes hat diesen Flow seit dem Öffnen geändert. Die eigene Fassung wird erst nach einer Entscheidung gespeichert.",
    failed: (problem) => `Entwurf nicht gespeichert: ${problem}`,
    loadTheirs: "Andere laden",
    keepMine: "Eigene behalten",
  },
  published: "Veröffentlicht",
  publishedWith: (problems, warnings) =>
    `Veröffentlicht · ${problems > 0 ? problemsOf(problems) : warningsOf(warnings)}`,
  publish: "Veröffentlichen",
  undo: "Rückgängig",
  redo: "Wiederholen",
  chat: "Chat",
  code: {
    title: "Flow als Code",
    close: "Code schließen",
    valid: "Ein gültiger Flow. Die Arbeitsfläche zeigt ihn.",
    notJson: (problem) => `Noch kein JSON: ${problem}. Die Arbeitsfläche zeigt den letzten gültigen Flow.`,
    notFlow: (path, problem) =>
      `Noch kein Flow${path === "" ? "" : `, bei ${path}`}: ${problem}. Die Arbeitsfläche zeigt den letzten gültigen Flow.`,
  },
  panel: {
    step: "Schritt",
    chat: "Chat",
    code: "Code",
    choose: "Seitenleiste",
    resize: "Breite der Seitenleiste",
  },
  foreign: {
    shown: (dialect) =>
      `Dieser Agent ist in einem anderen Flow-Format gespeichert (${dialect}). Die Arbeitsfläche zeigt, wie er läuft.`,
    nothing: "Die Arbeitsfläche ist leer.",
    untouched: "Der gespeicherte Flow bleibt bis zum Veröffentlichen unverändert.",
    rewritten: "Beim Veröffentlichen wird er ins eigene Format umgewandelt; das Original bleibt als frühere Version.",
  },
  actions: {
    add: "Schritt hinzufügen",
    chat: "Chat öffnen oder schließen",
    code: "Flow als Code bearbeiten",
    tidyUp: "Arbeitsfläche aufräumen",
    fit: "Flow ins Fenster einpassen",
    versions: "Versionen anzeigen",
    help: "Tastenkürzel anzeigen",
  },
  menu: {
    label: "Weitere Aktionen",
    versions: "Versionen",
    code: "Als Code bearbeiten",
    discard: "Entwurf verwerfen",
    duplicate: "Agent duplizieren",
    copyOf: (name) => `Kopie von ${name}`,
    import: "Flow importieren",
    export: "Flow exportieren",
    help: "Tastenkürzel",
  },
  findings: {
    label: (count) => (count === 0 ? "Keine Hinweise" : counted(count, "Hinweis", "Hinweise")),
    none: "In diesem Flow wurden keine Probleme gefunden.",
    error: "Fehler",
    warning: "Warnung",
  },
  outdated: {
    plain: "Jemand anderes hat diesen Agenten seit dem Öffnen veröffentlicht.",
    withEdits:
      "Jemand anderes hat diesen Agenten seit dem Öffnen veröffentlicht. Beim Veröffentlichen lässt sich wählen, welche Version bleibt.",
    load: "Andere laden",
  },
  destinations: {
    title: "Wohin Anmeldedaten gehen",
    text: "Dieser Agent würde Anmeldedaten an Orte senden, die noch niemand erlaubt hat. Nur bekannte und vertrauenswürdige Adressen erlauben.",
    ofStep: (name, destination, step) => `„${name}“ wird vom Schritt „${step}“ an ${destination} gesendet.`,
    ofAgent: (name, destination) => `„${name}“ wird an ${destination} gesendet.`,
    allow: "Erlauben und veröffentlichen",
    without: "Ohne Erlaubnis veröffentlichen",
  },
  conflict: {
    title: "Jemand anderes hat diesen Agenten veröffentlicht",
    text: "Er hat sich seit dem Öffnen geändert. Die eigene Version behalten, dann wird sie die neueste, oder die andere laden und die eigenen Änderungen verwerfen. In beiden Fällen bleibt die andere Version im Versionsverlauf.",
    keepMine: "Eigene behalten",
    loadTheirs: "Andere laden",
  },
  leaving: {
    title: "Ohne Speichern verlassen?",
    text: "Die letzten Änderungen am Entwurf konnten nicht gespeichert werden.",
    leave: "Ohne Speichern verlassen",
    stay: "Bleiben",
  },
  import: {
    title: "Flow importieren",
    text: "Einen aus Weft exportierten Flow, eine AgentFlow-V2-Datei, einen klassischen Chatflow oder einen Multi-Agent-Flow wählen. Er ersetzt den Inhalt der Arbeitsfläche; Rückgängig stellt ihn wieder her.",
    choose: "Datei wählen",
    paste: "Oder den Flow als Text einfügen",
    unread: "Kein gültiger Flow",
    several: (count) => `Die Datei enthält ${counted(count, "Flow", "Flows")}`,
    chooseFlow: "Einen wählen",
    found: (dialect, steps, connections) =>
      `${dialect === "native" ? "Ein Flow" : `Ein Flow in anderem Format (${dialect})`} mit ${counted(steps, "Schritt", "Schritten")} und ${counted(connections, "Verbindung", "Verbindungen")}.`,
    choices: "Zuordnen",
    findings: "Hinweise zum Import",
    cancel: "Abbrechen",
    replace: "Arbeitsfläche ersetzen",
  },
  versions: {
    title: "Versionen",
    number: (number) => `Version ${number}`,
    current: "Aktuell",
    restore: (number) => `Version ${number} wiederherstellen`,
    keepsVersions: "Sie wird die neueste Version.",
    losesEdits: "Sie wird die neueste Version, und der Entwurf wird verworfen.",
  },
  diff: {
    since: "Änderungen von dieser Version zur Arbeitsfläche",
    none: "Die Arbeitsfläche entspricht dieser Version.",
    edges: (added, removed) => `Verbindungen: ${added} hinzugefügt, ${removed} entfernt`,
    moved: (count) => `${count} auf der Arbeitsfläche verschoben`,
    kinds: { added: "Hinzugefügt", removed: "Entfernt", changed: "Geändert" },
    emptyText: "(leer)",
    views: "Darstellung der Änderungen",
    steps: "Schritte",
    text: "Text",
    unchanged: (count) => `${counted(count, "unveränderte Zeile", "unveränderte Zeilen")} anzeigen`,
    tooDifferent: "Die beiden haben zu wenig gemeinsam, um sie Zeile für Zeile zu vergleichen.",
  },
};
