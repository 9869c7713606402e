import type { Areas } from "../areas.ts";

export const agentSettings: Areas["agentSettings"] = {
  title: (agent) => `Freigabe und Limits: ${agent}`,
  loadingTitle: "Freigabe und Limits",
  leave: "Die Änderungen an diesen Einstellungen sind nicht gespeichert.",
  conflict:
    "Jemand anderes hat diesen Agenten inzwischen gespeichert. Neu laden zeigt diese Änderungen; die eigenen gehen verloren.",

  access: "Wer ihn nutzen kann",
  isPublic: "Öffentlich",
  isPublicHelp: "Besucher können ohne Schlüssel mit ihm chatten, etwa über ein Chat-Widget auf einer Website.",
  closed:
    "Besucher sind noch gesperrt: Dieser Server lässt keine öffentlichen Agenten zu. Ihn mit ALLOW_PUBLIC_FLOWS=true starten, um sie einzulassen.",
  opened: "Besucher können jetzt mit ihm chatten.",
  deployed: "MCP-Tool",
  deployedHelp: "Führt den Agenten als Tool am MCP-Endpunkt dieses Servers auf.",
  key: "Eigener API-Schlüssel",
  keyHelp: "Ist einer gesetzt, brauchen Anfragen diesen Schlüssel, auch bei einem öffentlichen Agenten.",
  anyKey: "Keiner: jeder Schlüssel, der Nachrichten senden darf",
  missingKey: (id) => `Gelöscht (${id.slice(0, 8)})`,
  noMatch: "Keine Treffer.",

  pages: "Websites",
  pagesText:
    "Begrenzt, welche Websites einen Chat für diesen Agenten einbetten können. API-Clients sind nicht betroffen.",
  origins: "Erlaubte Ursprünge",
  originsHelp: "Zum Beispiel https://shop.example. Nach jedem Enter drücken. Leer lassen, um jede Website zu erlauben.",
  originsMessage: "Meldung für andere Websites",

  limits: "Nachrichtenlimit",
  limitsText: "Gilt je Besucher, damit kein einzelner das Modellbudget aufbraucht.",
  isLimited: "Nachrichten begrenzen",
  limitMax: "Nachrichten",
  limitDuration: "Zeitfenster (Sekunden)",
  limitMessage: "Meldung bei erreichtem Limit",
  defaultLimitMessage: "Zu viele Nachrichten. Später erneut versuchen.",

  budget: "Tagesbudget der Besucher",
  budgetText:
    "Was Besucher ohne Schlüssel oder Konto an einem Tag verbrauchen können, der um Mitternacht UTC endet. Kosten zählen, wo der Preis eines Modells bekannt ist. Der Betreiber dieses Servers kann weniger zulassen.",
  perVisitor: "Jeder Besucher",
  allVisitors: "Alle Besucher zusammen",
  budgetAmounts: { runs: "Nachrichten pro Tag", dollars: "US-Dollar pro Tag" },

  retention: "Aufbewahrung",
  retentionText:
    "Wie viele Tage dieser Agent behält, was Besucher ohne Schlüssel oder Konto hinterlassen: einen Chat ab der letzten Nachricht, mit Ausführungen, Dateien, Bewertungen und Dokumenten, und einen Kontakt ab seiner Eingabe. Der Betreiber dieses Servers kann weniger behalten.",
  retentionDays: { visitorDays: "Tage für Chats", leadDays: "Tage für Kontakte" },
  retentionUnset: "Wie auf dem Server",

  overrides: "Überschreibungen",
  overridesText:
    "Was API-Clients und Besucher für eine einzelne Nachricht ändern dürfen. Angemeldete dürfen alles außer Anmeldedaten und Adressen ändern.",
  overridesOn: "Aufrufer dürfen Einstellungen überschreiben",
  overridesOnHelp: "Nur die hier gewählten Einstellungen. Alle anderen werden mit einer Warnung ignoriert.",
  overrideVariables: "Variablen",
  overrideVariablesHelp:
    "Steht eine Variable in einer Adresse, können Aufrufer das Ziel der Anfragen bestimmen. Nach jedem Namen Enter drücken.",
  overrideNode: (label) => `Einstellungen von ${label}`,
  overrideHistory: "Besucher dürfen den Chatverlauf senden",
  overrideHistoryHelp:
    "Besucher können dann frühere Antworten des Agenten fälschen. API-Clients dürfen ihn immer senden.",

  writes: "Aktionen für Besucher",
  writesText:
    "Gilt für Besucher ohne Schlüssel oder Konto, deren Nachrichten den Agenten täuschen können. Bei „Person fragen“ entscheidet jemand mit Konto unter Ausführungen.",
  effects: { write: "Daten ändern", destructive: "Daten löschen" },
  rulings: { allow: "Erlauben", ask: "Person fragen", refuse: "Verweigern" },

  chat: "Chatfunktionen",
  chatText: "Gilt für den Chat in diesem Builder und für Chats auf Websites.",
  prompts: "Vorgeschlagene Nachrichten",
  promptsHelp: "Werden vor der ersten Nachricht gezeigt. Nach jeder Enter drücken.",
  feedback: "Um Feedback bitten",
  feedbackHelp: "Daumen hoch oder runter an jeder Antwort.",
  followUps: "Nach einer Antwort Nachrichten vorschlagen",
  followUpsHelp: "Das Modell des Agenten wird nach jeder Antwort noch einmal gefragt; das kostet Token.",
  files: "Besucher dürfen Dateien anhängen",
  filesHelp: "Ihr Text wird der Frage hinzugefügt.",
  fileTypes: "Dateitypen",
  fileTypesHelp: "Leer lassen, um alle unterstützten Typen zu erlauben.",
  leads: "Nach Kontaktdaten fragen",
  leadsHelp: "Zeigt vor der ersten Nachricht ein Formular. Einträge erscheinen unter Nachrichten und Leads.",
  leadsTitle: "Titel des Formulars",
  leadsSuccess: "Bestätigung",
  leadsFields: "Felder des Formulars",
  leadFields: { name: "Name", email: "E-Mail", phone: "Telefon" },

  speech: {
    title: "Sprache",
    text: "Besucher nehmen im gehosteten Chat oder im Chat-Widget eine Nachricht auf. Was sie sagen, wird zur Frage.",
    isOn: "Besucher dürfen Nachrichten aufnehmen",
    isOnHelp: "Aufnahmen gehen an den gewählten Dienst.",
    service: "Dienst",
    address: "Adresse",
    addressHelp: "Ein beliebiger Server mit der Transkriptions-API von OpenAI.",
    badAddress: (example) =>
      `Eine Adresse wie ${example} eingeben. Bis dahin können Besucher keine Nachrichten aufnehmen.`,
    credential: "Anmeldedaten",
    serverKeyHelp: "Leer lassen, um den Schlüssel dieses Servers zu verwenden.",
    noKeyHelp: "Leer lassen, wenn der Dienst keinen Schlüssel verlangt.",
    needsCredential: (service) =>
      `${service} braucht Anmeldedaten. Welche wählen oder hier anlegen. Bis dahin schlagen Aufnahmen fehl.`,
    deletedCredential: "Diese Anmeldedaten wurden gelöscht, daher schlagen Aufnahmen fehl. Andere wählen.",
    model: "Modell",
    language: "Gesprochene Sprache",
    languageHelp: "Die Sprache der Besucher. Leer lassen, um sie erkennen zu lassen.",
    prompt: "Erwartete Wörter",
    promptHelp: "Namen und Begriffe, die Besucher wahrscheinlich sagen, damit sie richtig geschrieben werden.",
    temperature: "Temperatur",
    temperatureHelp: "Von 0 bis 1. Höhere Werte raten freier. Leer lassen für den Standard des Dienstes.",
    readsAloud: "Antworten vorlesen",
    readsAloudHelp:
      "Chats zeigen unter jeder Antwort eine Schaltfläche, Programme verwenden die API. Die Texte gehen an den gewählten Dienst.",
    voiceService: "Dienst zum Vorlesen",
    voiceCredential: "Zugangsdaten zum Vorlesen",
    voice: "Stimme",
    voiceModel: "Modell zum Vorlesen",
    voiceHelp: "Leer lassen für den Standard des Dienstes.",
    voicesUnknown: "Die Stimmen konnten nicht geladen werden. Prüfe die Zugangsdaten oder gib die ID einer Stimme ein.",
    autoPlay: "Automatisch vorlesen",
    autoPlayHelp:
      "Chats lesen jede Antwort vor, sobald sie vollständig ist. Jede gestreamte Antwort geht an den Dienst, auch wenn niemand zuhört.",
    unsupported: (service) =>
      `Für Sprache ist ${service} eingestellt. Dieser Server unterstützt das nicht, daher können Besucher keine Nachrichten aufnehmen. Einen anderen Dienst wählen.`,
  },
};
