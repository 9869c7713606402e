import type { Areas } from "../areas.ts";
import { formatList, formatNumber } from "../index.ts";

export const share: Areas["share"] = {
  open: "Teilen",
  title: (agent) => `${agent} teilen`,
  close: "Schließen",
  publish: "Öffentlich machen",
  publishText:
    "Diesen Agenten nutzen bisher nur Personen, die sich hier anmelden können, und Programme mit einem API-Schlüssel. Ist er öffentlich, kann jeder mit dem Link mit dem veröffentlichten Flow chatten, auf Kosten des Modellbudgets. Unter Freigabe und Limits lassen sich Nachrichten begrenzen.",
  budget: (runs, dollars, all) =>
    `Ein Besucher kann pro Tag ${formatNumber(runs)} Nachrichten senden und ${dollars} kosten, alle zusammen ${all}. Der Betreiber dieses Servers kann weniger zulassen.`,
  changeBudget: "Limits ändern",
  isPublic: "Dieser Agent ist öffentlich: Jeder mit dem Link kann mit ihm chatten.",
  closed:
    "Besucher sind noch gesperrt, weil dieser Server keine öffentlichen Agenten zulässt. Wer ihn betreibt, muss ihn mit ALLOW_PUBLIC_FLOWS=true starten.",
  needsKey:
    "Besucher sind noch gesperrt, weil dieser Agent einen eigenen API-Schlüssel hat. Unter Freigabe und Limits den Schlüssel entfernen.",
  tabs: { link: "Link", embed: "Website", api: "API", openai: "OpenAI", mcp: "MCP" },
  texts: {
    link: "Eine Seite nur mit diesem Agenten. Den Link senden oder den Code scannen lassen.",
    embed: "In eine Seite der Website einfügen. Zeigt eine Schaltfläche, die den Chat öffnet.",
    api: "Sendet eine Nachricht über HTTP. YOUR_API_KEY durch einen API-Schlüssel ersetzen.",
    openai: "Für Programme mit OpenAI-API: diese Basisadresse eintragen und als Modell die ID des Agenten.",
    mcp: "Für MCP-Clients: der Agent als Server mit einem Tool.",
  },
  addressLabels: { link: "Chatseite", openai: "Basisadresse", model: "Modell", mcp: "Serveradresse" },
  snippet: { embed: "Code zum Einbetten", api: "Beispielanfrage" },
  qr: "QR-Code der Chatseite",
  tryIt: "Ausprobieren",
  tryTexts: {
    link: "Ruft die Seite als Besucher auf, ohne die eigene Sitzung.",
    embed: "Lädt das Skript und die Chat-Einstellungen des Agenten als Besucher, ohne die eigene Sitzung.",
    api: "Sendet „Hello!“ mit der eigenen Sitzung und zeigt die Antwort.",
    openai: "Sendet „Hello!“ mit der eigenen Sitzung und zeigt die Antwort.",
    mcp: "Führt mit der eigenen Sitzung die Tools des Servers auf.",
  },
  works: "Es funktioniert.",
  pageWorks: "Die Seite öffnet sich für Besucher.",
  embedWorks: "Der Chat öffnet sich für Besucher.",
  tools: (names) => `Gefundene Tools: ${formatList(names)}`,
  noTools: "Der Server hat ohne Tool geantwortet.",
  answered: (text) => `Der Agent hat geantwortet: ${text}`,
  noAnswer: "Der Agent hat ohne Text geantwortet.",
  refused: (status) => `Besucher können ihn nicht öffnen. Der Server hat mit Status ${status} geantwortet.`,
};
