import type { Areas } from "../areas.ts";

export const replay: Areas["replay"] = {
  open: "Ab hier neu ausführen",
  title: (step) => `Ab „${step}“ neu ausführen`,
  text: "Startet eine neue Ausführung bei diesem Schritt. Frühere Schritte werden nicht wiederholt; ab hier wartet alles, was etwas ändern würde, auf Genehmigung.",
  question: "Frage",
  before: "Ausgaben früherer Schritte",
  change: "Ändern",
  changed: "Geändert",
  take: "Übernehmen",
  keep: "Unverändert lassen",
  gone: "Diese Ausgabe ist nicht mehr gespeichert und lässt sich daher nicht ändern.",
  outputOf: (step) => `Ausgabe von ${step}`,
  notJson: "Kein gültiges JSON. Korrigieren oder die Ausgabe unverändert lassen.",
  draft: "Den Entwurf mit seinen angehefteten Ausgaben verwenden",
  draftHelp: "Sonst den Flow, mit dem die Ausführung begonnen hat.",
  start: "Neu ausführen",
  cancel: "Abbrechen",

  run: "Diesen Schritt ausführen",
  running: "Läuft",
  notYet:
    "Dem Agenten zuerst eine Nachricht senden. Danach lässt sich ein Schritt mit den Ergebnissen davor ausführen.",
  waits: "Dieser Schritt würde etwas ändern, daher wartet er auf Genehmigung.",
  approve: "Genehmigen",
  reject: "Ablehnen",

  pin: "Ausgabe anheften",
  unpin: "Lösen",
  pinned: "Angeheftet",
  pinnedText:
    "Testausführungen nutzen diese Ausgabe und führen den Schritt nicht aus. Im veröffentlichten Flow wird er ausgeführt.",
  edit: "Bearbeiten",
  save: "Speichern",
  pinnedOutput: "Angeheftete Ausgabe",
};
