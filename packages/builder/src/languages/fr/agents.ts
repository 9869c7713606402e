import type { Areas } from "../areas.ts";
import { counted } from "./plural.ts";

export const agents: Areas["agents"] = {
  messages: "Messages et prospects",
  apiAccess: "Accès API",
  settings: "Partage et limites",
  back: "Retour à l’agent",
  title: "Agents",
  summary: "Flux qui répondent aux messages : par chat, via l’API, sur planification ou par webhook.",
  create: "Nouvel agent",
  editTitle: "Nom et tags",
  name: "Nom",
  namePlaceholder: "Service client",
  tags: "Tags",
  tagsHint: "Appuyer sur Entrée après chacun. Les agents peuvent être filtrés par tag.",
  search: "Rechercher un agent",
  filterByTag: "Tags",
  emptyTitle: "Aucun agent",
  emptyText:
    "Un agent est un flux d’étapes qui répond à des messages. Partir d’un template, d’un fichier ou d’un flux vide avec un modèle.",
  open: (name) => `Ouvrir ${name}`,
  chat: "Chat",
  chatWith: (name) => `Chat avec ${name}`,
  publicBadge: "Public",
  copyName: (name) => `${name} (copie)`,
  duplicated: (name) => `Agent « ${name} » créé.`,
  deleted: (name) => `Agent « ${name} » supprimé.`,
  deleteTitle: "Supprimer cet agent ?",
  deleteText: (name) =>
    `« ${name} » sera supprimé avec ses versions, conversations, avis et prospects, et ses exécutions en cours seront arrêtées. Cette action est irréversible.`,
  rehearsal: "Les agents utilisent le modèle d’essai, qui suit des règles fixes et n’est pas une IA.",
  connectModel: "Connecter un modèle",
  count: (count) => counted(count, "agent", "agents"),
  steps: (count) => counted(count, "étape", "étapes"),
};

export const agentApi: Areas["agentApi"] = {
  title: (agent) => `Accès API : ${agent}`,
  loadingTitle: "Accès API",
  key: "Clé API",
  keyText:
    "Les programmes s’authentifient avec une clé API. Une nouvelle clé peut envoyer des messages, mais pas lire ceux des autres.",
  createKey: "Créer une clé pour ces exemples",
  keyName: (agent) => `API de ${agent}`,
  keyCreatedTitle: "Copier la clé maintenant",
  keyCreated:
    "Les exemples ci-dessous la contiennent déjà. Elle n’est affichée qu’une fois ; elle peut être révoquée dans Clés API.",
  copyKey: "Copier la clé",
  boundText: "Cet agent n’accepte que sa clé API dédiée. Utiliser cette clé dans les exemples.",
  placeholder: "YOUR_API_KEY",
  usage: "Appeler l’agent",
  usages: { ask: "Question", stream: "Streaming", openai: "OpenAI", mcp: "MCP" },
  usageTexts: {
    ask: "Une requête, une réponse. Pour poursuivre la conversation, envoyer le chatId de la réponse avec la question suivante.",
    stream: "La réponse diffusée au fil de l’eau par server-sent events.",
    openai: "L’agent comme modèle pour tout client compatible OpenAI.",
    mcp: "L’agent comme outil pour tout client MCP.",
  },
  language: "Langage",
  languages: { curl: "curl", typescript: "TypeScript", python: "Python", json: "Configuration" },
  addresses: "Adresses",
  prediction: "Prédiction",
  openaiBase: "URL de base compatible OpenAI",
  openaiModel: "Modèle",
  mcpAddress: "Serveur MCP",
  copyAddress: (name) => `Copier : ${name}`,
  documentation: "En savoir plus dans la documentation de l’API.",
};
