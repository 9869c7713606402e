import type { Areas } from "../areas.ts";
import { formatList, formatNumber } from "../index.ts";

export const share: Areas["share"] = {
  open: "Partager",
  title: (agent) => `Partager ${agent}`,
  close: "Fermer",
  publish: "Rendre public",
  publishText:
    "Pour l’instant, seuls les utilisateurs d’ici et les programmes munis d’une clé API peuvent utiliser cet agent. S’il est public, toute personne disposant du lien peut dialoguer avec le flux publié, aux frais du budget des modèles. Les messages peuvent être limités dans Partage et limites.",
  budget: (runs, dollars, all) =>
    `Un visiteur peut envoyer ${formatNumber(runs)} messages par jour et coûter ${dollars}, tous ensemble ${all}. L’administrateur de ce serveur peut autoriser moins.`,
  changeBudget: "Modifier les limites",
  isPublic: "Cet agent est public : toute personne disposant du lien peut dialoguer avec lui.",
  closed:
    "Les visiteurs restent bloqués, car ce serveur n’autorise pas les agents publics. Demander à son administrateur de le démarrer avec ALLOW_PUBLIC_FLOWS=true.",
  needsKey: "Les visiteurs restent bloqués, car cet agent a une clé API dédiée. La retirer dans Partage et limites.",
  tabs: { link: "Lien", embed: "Site web", api: "API", openai: "OpenAI", mcp: "MCP" },
  texts: {
    link: "Une page avec cet agent et rien d’autre. Envoyer le lien, ou faire scanner le code.",
    embed: "À coller dans une page d’un site web. Affiche un bouton qui ouvre le chat.",
    api: "Envoie un message par HTTP. Remplacer YOUR_API_KEY par une clé API.",
    openai:
      "Pour les programmes qui utilisent l’API OpenAI : saisir cette adresse de base, et l’ID de l’agent comme modèle.",
    mcp: "Pour les clients MCP : l’agent comme serveur doté d’un outil.",
  },
  addressLabels: { link: "Page de chat", openai: "Adresse de base", model: "Modèle", mcp: "Adresse du serveur" },
  snippet: { embed: "Code d’intégration", api: "Exemple de requête" },
  qr: "QR code de la page de chat",
  tryIt: "Essayer",
  tryTexts: {
    link: "Demande la page en tant que visiteur, sans la session en cours.",
    embed: "Charge le script et les paramètres de chat de l’agent en tant que visiteur, sans la session en cours.",
    api: "Envoie « Hello! » avec la session en cours et affiche la réponse.",
    openai: "Envoie « Hello! » avec la session en cours et affiche la réponse.",
    mcp: "Liste les outils du serveur avec la session en cours.",
  },
  works: "Tout fonctionne.",
  pageWorks: "La page s’ouvre pour les visiteurs.",
  embedWorks: "Le chat s’ouvre pour les visiteurs.",
  tools: (names) => `Outils : ${formatList(names)}`,
  noTools: "Le serveur a répondu sans outil.",
  answered: (text) => `L’agent a répondu : ${text}`,
  noAnswer: "L’agent a répondu sans texte.",
  refused: (status) => `Inaccessible aux visiteurs. Le serveur a répondu avec le statut ${status}.`,
};
