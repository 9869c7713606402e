import type { Areas } from "../areas.ts";
import { counted } from "./plural.ts";

export const agents: Areas["agents"] = {
  messages: "Nachrichten und Leads",
  apiAccess: "API-Zugriff",
  settings: "Freigabe und Limits",
  back: "Zurück zum Agenten",
  title: "Agenten",
  summary: "Flows, die Nachrichten beantworten: im Chat, über die API, nach Zeitplan oder per Webhook.",
  create: "Neuer Agent",
  editTitle: "Name und Tags",
  name: "Name",
  namePlaceholder: "Kundensupport",
  tags: "Tags",
  tagsHint: "Nach jedem Enter drücken. Agenten lassen sich nach Tags filtern.",
  search: "Agenten suchen",
  filterByTag: "Tags",
  emptyTitle: "Noch keine Agenten",
  emptyText:
    "Ein Agent ist ein Flow aus Schritten, der Nachrichten beantwortet. Mit einer Vorlage, einer Datei oder einem leeren Flow mit einem Modell beginnen.",
  open: (name) => `${name} öffnen`,
  chat: "Chat",
  chatWith: (name) => `Chat mit ${name}`,
  publicBadge: "Öffentlich",
  copyName: (name) => `${name} (Kopie)`,
  duplicated: (name) => `„${name}“ wurde erstellt.`,
  deleted: (name) => `„${name}“ wurde gelöscht.`,
  deleteTitle: "Diesen Agenten löschen?",
  deleteText: (name) =>
    `Löscht „${name}“ mit Versionen, Unterhaltungen, Feedback und Leads und beendet laufende Ausführungen. Das lässt sich nicht rückgängig machen.`,
  rehearsal: "Die Agenten verwenden das Probemodell, das festen Regeln folgt und keine KI ist.",
  connectModel: "Modell verbinden",
  count: (count) => counted(count, "Agent", "Agenten"),
  steps: (count) => counted(count, "Schritt", "Schritte"),
};

export const agentApi: Areas["agentApi"] = {
  title: (agent) => `API-Zugriff: ${agent}`,
  loadingTitle: "API-Zugriff",
  key: "API-Schlüssel",
  keyText:
    "Programme weisen sich mit einem API-Schlüssel aus. Ein neuer Schlüssel darf Nachrichten senden, aber keine fremden Nachrichten lesen.",
  createKey: "Schlüssel für diese Beispiele erstellen",
  keyName: (agent) => `API von ${agent}`,
  keyCreatedTitle: "Den Schlüssel jetzt kopieren",
  keyCreated:
    "Die Beispiele unten enthalten ihn schon. Er wird nur einmal gezeigt und lässt sich unter API-Schlüssel widerrufen.",
  copyKey: "Schlüssel kopieren",
  boundText: "Dieser Agent nimmt nur seinen eigenen API-Schlüssel an. In den Beispielen diesen Schlüssel verwenden.",
  placeholder: "YOUR_API_KEY",
  usage: "Den Agenten aufrufen",
  usages: { ask: "Fragen", stream: "Streamen", openai: "OpenAI", mcp: "MCP" },
  usageTexts: {
    ask: "Eine Anfrage, eine Antwort. Mit der chatId aus der Antwort setzt die nächste Frage die Unterhaltung fort.",
    stream: "Die Antwort als Strom von Server-Sent Events.",
    openai: "Der Agent als Modell für jeden OpenAI-kompatiblen Client.",
    mcp: "Der Agent als Tool für jeden MCP-Client.",
  },
  language: "Sprache",
  languages: { curl: "curl", typescript: "TypeScript", python: "Python", json: "Konfiguration" },
  addresses: "Adressen",
  prediction: "Anfrage",
  openaiBase: "OpenAI-kompatible Basis-URL",
  openaiModel: "Modell",
  mcpAddress: "MCP-Server",
  copyAddress: (name) => `${name} kopieren`,
  documentation: "Mehr dazu in der API-Dokumentation.",
};
