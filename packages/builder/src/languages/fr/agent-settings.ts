import type { Areas } from "../areas.ts";

export const agentSettings: Areas["agentSettings"] = {
  title: (agent) => `Partage et limites : ${agent}`,
  loadingTitle: "Partage et limites",
  leave: "Les modifications de ces paramètres ne sont pas enregistrées.",
  conflict:
    "Quelqu’un d’autre a enregistré cet agent entre-temps. Recharger pour voir ses modifications ; celles faites ici seront perdues.",

  access: "Qui peut l’utiliser",
  isPublic: "Public",
  isPublicHelp: "Les visiteurs peuvent lui écrire sans clé, par exemple via un widget de chat sur un site web.",
  closed:
    "Les visiteurs restent bloqués : ce serveur n’autorise pas les agents publics. Le démarrer avec ALLOW_PUBLIC_FLOWS=true pour leur donner accès.",
  opened: "Les visiteurs peuvent maintenant lui écrire.",
  deployed: "Outil MCP",
  deployedHelp: "Propose l’agent comme outil sur le point de terminaison MCP de ce serveur.",
  key: "Clé API dédiée",
  keyHelp: "Si elle est définie, les prédictions exigent cette clé, même pour un agent public.",
  anyKey: "Aucune : toute clé pouvant envoyer des messages",
  missingKey: (id) => `Supprimée (${id.slice(0, 8)})`,
  noMatch: "Aucun résultat.",

  pages: "Sites web",
  pagesText:
    "Limite les sites qui peuvent intégrer un client de chat pour cet agent. Les clients API ne sont pas concernés.",
  origins: "Origines autorisées",
  originsHelp:
    "Par exemple https://shop.example. Appuyer sur Entrée après chacune. Laisser vide pour autoriser tous les sites.",
  originsMessage: "Message pour les autres sites",

  limits: "Limite de messages",
  limitsText: "S’applique par visiteur, pour qu’un seul ne puisse pas épuiser le budget des modèles.",
  isLimited: "Limiter les messages",
  limitMax: "Messages",
  limitDuration: "Période (secondes)",
  limitMessage: "Message quand la limite est atteinte",
  defaultLimitMessage: "Trop de messages. Réessayer plus tard.",

  budget: "Budget quotidien des visiteurs",
  budgetText:
    "Ce que les visiteurs sans clé ni compte peuvent consommer en un jour, qui se termine à minuit UTC. Le coût compte lorsque le prix du modèle est connu. L’administrateur de ce serveur peut autoriser moins.",
  perVisitor: "Chaque visiteur",
  allVisitors: "Tous les visiteurs ensemble",
  budgetAmounts: { runs: "Messages par jour", dollars: "Dollars US par jour" },

  retention: "Conservation",
  retentionText:
    "Nombre de jours pendant lesquels cet agent conserve ce que laissent les visiteurs sans clé ni compte : une discussion depuis son dernier message, avec ses exécutions, fichiers, avis et documents, et un contact depuis sa saisie. L’administrateur de ce serveur peut conserver moins.",
  retentionDays: { visitorDays: "Jours pour les discussions", leadDays: "Jours pour les contacts" },
  retentionUnset: "Comme sur le serveur",

  overrides: "Paramètres remplaçables",
  overridesText:
    "Ce que les clients API et les visiteurs peuvent changer pour un seul message. Les utilisateurs connectés peuvent tout changer, sauf les identifiants et les adresses.",
  overridesOn: "Autoriser les appelants à remplacer des paramètres",
  overridesOnHelp: "Uniquement les paramètres choisis ici. Les autres sont ignorés avec un avertissement.",
  overrideVariables: "Variables",
  overrideVariablesHelp:
    "Une variable utilisée dans une adresse permet aux appelants de choisir la destination des requêtes. Appuyer sur Entrée après chaque nom.",
  overrideNode: (label) => `Paramètres de ${label}`,
  overrideHistory: "Autoriser les visiteurs à envoyer l’historique du chat",
  overrideHistoryHelp:
    "Les visiteurs peuvent alors falsifier les réponses précédentes de l’agent. Les clients API peuvent toujours l’envoyer.",

  writes: "Actions des visiteurs",
  writesText:
    "S’applique aux visiteurs sans clé ni compte, dont les messages peuvent tromper l’agent. Avec « Demander à quelqu’un », une personne disposant d’un compte décide dans Exécutions.",
  effects: { write: "Modifier des données", destructive: "Supprimer des données" },
  rulings: { allow: "Autoriser", ask: "Demander à quelqu’un", refuse: "Refuser" },

  chat: "Fonctions du chat",
  chatText: "S’applique au chat de cet éditeur et aux clients de chat des sites web.",
  prompts: "Messages suggérés",
  promptsHelp: "Affichés avant le premier message. Appuyer sur Entrée après chacun.",
  feedback: "Demander un avis",
  feedbackHelp: "Pouce vers le haut ou vers le bas pour chaque réponse.",
  followUps: "Suggérer des messages après une réponse",
  followUpsHelp: "Le modèle de l’agent est interrogé une fois de plus après chaque réponse, ce qui coûte des tokens.",
  files: "Autoriser les visiteurs à joindre des fichiers",
  filesHelp: "Leur texte est ajouté à la question.",
  fileTypes: "Types de fichiers",
  fileTypesHelp: "Laisser vide pour autoriser tous les types pris en charge.",
  leads: "Demander les coordonnées",
  leadsHelp: "Affiche un formulaire avant le premier message. Les saisies apparaissent dans Messages et prospects.",
  leadsTitle: "Titre du formulaire",
  leadsSuccess: "Message de confirmation",
  leadsFields: "Champs du formulaire",
  leadFields: { name: "Nom", email: "E-mail", phone: "Téléphone" },

  speech: {
    title: "Voix",
    text: "Les visiteurs enregistrent un message dans le chat hébergé ou le widget de chat. Ce qu’ils disent devient la question.",
    isOn: "Permettre aux visiteurs d’enregistrer des messages",
    isOnHelp: "Les enregistrements sont envoyés au service choisi.",
    service: "Service vocal",
    address: "Adresse",
    addressHelp: "Tout serveur doté de l’API de transcription d’OpenAI.",
    badAddress: (example) =>
      `Saisissez une adresse comme ${example}. D’ici là, les visiteurs ne peuvent pas enregistrer de messages.`,
    credential: "Identifiants",
    serverKeyHelp: "Laissez vide pour utiliser la clé de ce serveur.",
    noKeyHelp: "Laissez vide si le service n’exige pas de clé.",
    needsCredential: (service) =>
      `${service} nécessite des identifiants. Choisissez-en ou créez-les ici. D’ici là, les enregistrements échouent.`,
    deletedCredential: "Ces identifiants ont été supprimés : les enregistrements échouent. Choisissez-en d’autres.",
    model: "Modèle",
    language: "Langue",
    languageHelp: "La langue que parlent les visiteurs. Laissez vide pour la détecter.",
    prompt: "Mots attendus",
    promptHelp: "Noms et termes que les visiteurs diront probablement, afin qu’ils soient bien orthographiés.",
    temperature: "Température",
    temperatureHelp:
      "De 0 à 1. Une valeur élevée laisse deviner plus librement. Laissez vide pour la valeur par défaut du service.",
    readsAloud: "Lire les réponses à voix haute",
    readsAloudHelp:
      "Les chats affichent un bouton sous chaque réponse ; les programmes utilisent l’API. Les textes sont envoyés au service choisi.",
    voiceService: "Service de lecture",
    voiceCredential: "Identifiants de lecture",
    voice: "Voix",
    voiceModel: "Modèle de lecture",
    voiceHelp: "Laissez vide pour utiliser la valeur par défaut du service.",
    voicesUnknown: "Impossible de charger les voix. Vérifiez les identifiants ou saisissez l’identifiant d’une voix.",
    autoPlay: "Lire automatiquement",
    autoPlayHelp:
      "Les chats lisent chaque réponse dès qu’elle est complète. Chaque réponse en streaming est envoyée au service, même si personne n’écoute.",
    unsupported: (service) =>
      `La voix utilise ${service}, que ce serveur ne prend pas en charge : les visiteurs ne peuvent pas enregistrer de messages. Choisissez un autre service.`,
  },
};
