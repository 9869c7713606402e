import type { Areas } from "../areas.ts";
import { formatNumber } from "../index.ts";
import { counted } from "./plural.ts";

export const common: Areas["common"] = {
  uses: {
    title: "Utilisé par",
    none: "Rien ne l’utilise.",
    step: (name, step) => `${name} : étape « ${step} »`,
    draft: (name) => `${name} (brouillon)`,
    defaultModel: "Le modèle par défaut",
    more: (count) => `et ${counted(count, "autre endroit", "autres endroits")}`,
  },
  cancel: "Annuler",
  save: "Enregistrer",
  saved: "Enregistré",
  reload: "Recharger",
  create: "Créer",
  delete: "Supprimer",
  edit: "Modifier",
  close: "Fermer",
  done: "Terminé",
  copy: "Copier",
  copied: "Copié",
  copyCode: "Copier le code",
  duplicate: "Dupliquer",
  name: "Nom",
  type: "Type",
  value: "Valeur",
  updated: "Modifié",
  created: "Créé",
  actionsOf: (name) => `Actions pour ${name}`,
  actions: "Actions",
  labelled: (label, value) => `${label} : ${value}`,
  optional: "Facultatif",
  showPassword: "Afficher ou masquer le mot de passe",
  nothingFound: (text) => `Aucun résultat pour « ${text} ».`,
  clearSearch: "Effacer la recherche",
  loading: "Chargement",
  leaveTitle: "Quitter sans enregistrer ?",
  leave: "Quitter",
  stay: "Rester",
  justNow: "à l’instant",
  units: { ms: "ms", s: "s", min: "min", h: "h", d: "j" },
};

export const error: Areas["error"] = {
  conflict:
    "Quelqu’un d’autre a modifié cet élément entre-temps : la modification n’a pas été enregistrée. Charger la version actuelle, puis refaire la modification.",
  title: "Une erreur s’est produite",
  unreachable:
    "Serveur inaccessible. Vérifier qu’il est démarré et que la connexion réseau fonctionne, puis réessayer.",
  unknown:
    "Une erreur inattendue s’est produite sur cette page. La recharger, et signaler l’erreur si elle se reproduit.",
  status: (status) => `Le serveur a répondu avec le statut ${status}. La cause figure dans son journal.`,
  retry: "Réessayer",
  reload: "Recharger la page",
  requestId: (id) => `Requête ${id}`,
  pageTitle: "Impossible d’afficher cette page",
  newVersion: "L’éditeur a été mis à jour sur le serveur. Recharger pour utiliser la nouvelle version.",
  notFoundTitle: "Page introuvable",
  notFoundText: "Vérifier l’adresse. La page a peut-être été supprimée.",
  toAgents: "Voir les agents",
};

export const shell: Areas["shell"] = {
  product: "Weft",
  navigation: "Navigation principale",
  skipToContent: "Aller au contenu",
  home: "Accueil",
  agents: "Agents",
  assistants: "Assistants",
  executions: "Exécutions",
  inbox: "Boîte de réception",
  inboxCount: (count) => `${counted(count, "exécution attend", "exécutions attendent")} une réponse`,
  inboxShortCount: (count) => (count > 99 ? "99+" : String(count)),
  documentStores: "Bases documentaires",
  tools: "Outils",
  models: "Modèles",
  prices: "Prix",
  credentials: "Identifiants",
  variables: "Variables",
  apiKeys: "Clés API",
  system: "Système",
  settings: "Paramètres",
  documentation: "Documentation de l’API",
  lightColours: "Thème clair",
  darkColours: "Thème sombre",
  signOut: "Se déconnecter",
  loading: "Chargement",
  commands: {
    title: "Accès rapide",
    open: "Accès rapide",
    search: "Rechercher une page, un agent ou une action",
    here: "Sur cette page",
    create: "Nouveau",
    newAgent: "Nouvel agent",
    newFromTemplate: "Nouvel agent à partir d’un template",
    importAgent: "Importer un agent",
    moveFromFlowise: "Migrer depuis Flowise",
    pages: "Pages",
    everywhere: "Partout",
    nothing: (text) => `Aucun résultat pour « ${text} ».`,
  },
};

export const volume: Areas["volume"] = {
  volumeSummary: (runs, failures) => `${counted(runs, "exécution", "exécutions")}, ${formatNumber(failures)} en échec`,
  part: (start, runs, failures) => `${start} : ${volume.volumeSummary(runs, failures)}`,
};

export const runState: Areas["runState"] = {
  INPROGRESS: "En cours",
  FINISHED: "Terminée",
  ERROR: "Échec",
  TIMEOUT: "Délai dépassé",
  TERMINATED: "Annulée",
  STOPPED: "En attente",
};

export const json: Areas["json"] = {
  items: (count) => counted(count, "élément", "éléments"),
  members: (count) => counted(count, "champ", "champs"),
  showAll: (count) => `Tout afficher (${formatNumber(count)})`,
  showMore: (count, rest) => `Afficher ${formatNumber(count)} de plus sur ${formatNumber(rest)}`,
  showCharacters: (count) => `Tout afficher (${counted(count, "caractère", "caractères")})`,
  copyValue: (name) => `Copier la valeur de ${name}`,
  copyPath: (name) => `Copier le chemin de ${name}`,
};
