import type { Areas } from "../areas.ts";
import { formatList, formatNumber } from "../index.ts";
import { counted } from "./plural.ts";

export const settings: Areas["settings"] = {
  title: "Paramètres",
  account: "Compte",
  name: "Nom",
  email: "E-mail",
  unnamed: "Sans nom",
  operator:
    "Connexion avec un jeton de ligne de commande. Il n’est lié à aucun compte : il n’y a pas de mot de passe à changer.",
  password: "Mot de passe",
  passwordText: "Le changer déconnecte tous les autres appareils.",
  currentPassword: "Mot de passe actuel",
  newPassword: "Nouveau mot de passe",
  newPasswordHint: "8 caractères au minimum.",
  changePassword: "Changer le mot de passe",
  passwordChanged: "Mot de passe changé. Tous les autres appareils ont été déconnectés.",
  everywhere: "Se déconnecter partout",
  everywhereText:
    "Appareil perdu ou resté connecté ? Saisir le mot de passe pour fermer toutes les sessions du compte, y compris celle-ci. Les clés API ne sont pas concernées.",
  everywhereSubmit: "Se déconnecter partout",
  appearance: "Apparence",
  colours: "Thème",
  schemes: { auto: "Système", light: "Clair", dark: "Sombre" },
  language: "Langue",
  languageHelp: "Les libellés des étapes et les messages d’erreur du serveur restent en anglais.",
  browserLanguage: (name) => `Langue du navigateur (${name})`,
  flowise: "Migrer depuis Flowise",
  flowiseText:
    "Reprend toute une installation Flowise depuis sa base de données : agents, identifiants, clés API, bases documentaires et chats, sous les mêmes ID.",
  flowiseOpen: "Commencer la migration",
  retention: "Durée de conservation des données",
  retentionText:
    "L’opérateur la modifie avec des variables d’environnement du serveur. Tout peut être supprimé plus tôt, chat par chat ou pour une personne.",
  retentionKinds: {
    runs: "Exécutions terminées",
    payloads: "Grandes entrées et sorties de leurs étapes",
    upserts: "Historique des upserts",
    "visitor-chats": "Discussions des visiteurs",
    chats: "Autres discussions et avis",
    leads: "Prospects",
    uploads: "Fichiers de chats sans exécution",
    "unsent-files": "Fichiers de chats jamais commencés",
    logs: "Journaux du serveur",
  },
  untilDeleted: "Jusqu’à leur suppression",
  notKept: "Non conservés : ils vont vers la sortie du serveur",
  retentionSetting: (name) => `Défini par ${name}`,
  about: "À propos",
  version: "Version du serveur",
  documentation: "Documentation de l’API",
};

export const variables: Areas["variables"] = {
  title: "Variables",
  summary: "Valeurs accessibles à tous les flux : {{ $vars.name }} dans un texte, $vars.name dans le code.",
  create: "Nouvelle variable",
  createTitle: "Nouvelle variable",
  editTitle: "Modifier la variable",
  search: "Rechercher une variable",
  emptyTitle: "Aucune variable",
  emptyText:
    "Stocker ici les valeurs communes à plusieurs flux, comme une adresse, une ville ou une limite. Une valeur modifiée ici l’est pour tous les flux.",
  nameHint: "Lettres, chiffres et tirets bas, pour que le code puisse la lire avec $vars.name.",
  types: {
    string: "Texte",
    number: "Nombre",
    boolean: "Oui ou non",
    json: "JSON",
    runtime: "De l’environnement du serveur",
    static: "Texte (statique)",
  },
  runtimeHint:
    "Lue dans la variable d’environnement du même nom à chaque exécution d’un flux. L’administrateur du serveur définit les noms autorisés dans RUNTIME_VARIABLES.",
  runtimeValue: "Lue à l’exécution",
  yes: "true",
  no: "false",
  noValue: "Vide",
  saved: (name) => `Variable « ${name} » enregistrée.`,
  deleted: (name) => `Variable « ${name} » supprimée.`,
  deleteTitle: "Supprimer cette variable ?",
  deleteText: (name) =>
    `Les flux qui lisent $vars.${name} n’obtiendront plus de valeur. Cette action est irréversible.`,
};

export const credentials: Areas["credentials"] = {
  title: "Identifiants",
  summary: "Clés et mots de passe des modèles et des intégrations. Stockés chiffrés et jamais réaffichés.",
  create: "Nouveaux identifiants",
  createTitle: "Nouveaux identifiants",
  editTitle: "Modifier les identifiants",
  emptyTitle: "Aucun identifiant",
  emptyText:
    "Ajouter la clé d’un fournisseur de modèles ou d’un service appelé par les flux. Les flux y font référence par leur nom et n’en voient jamais la valeur.",
  modelGroup: "Modèles",
  otherGroup: "Services appelés par les flux",
  earlierGroup: "Noms utilisés par les clients existants",
  keepsValue: "Laisser vide pour garder la valeur enregistrée",
  isSet: "Une valeur est enregistrée",
  optional: (title) => `${title} (facultatif)`,
  values: "Valeurs",
  remove: "Supprimer la valeur enregistrée",
  unreadable: "Illisible",
  unreadableText:
    "Les valeurs enregistrées ne peuvent pas être déchiffrées, car la clé de chiffrement du serveur a changé. Les ressaisir et enregistrer.",
  unknownType:
    "Ce serveur ne prend pas en charge ce type d’identifiants. Il est possible de les renommer ; les valeurs sont conservées.",
  hosts: "Hôtes",
  hostsHelp: (implied) =>
    `Les identifiants ne sont envoyés qu’à ces hôtes${implied.length === 0 ? "" : ` et à ${formatList(implied)}`}. Publier un agent demande confirmation avant d’en ajouter un. Par exemple api.example.com, api.example.com:8443 ou *.example.com.`,
  allowedBy: (by, date) => `Autorisé par ${by} le ${date}`,
  allowedBefore: "Autorisé avant que cela soit consigné",
  bind: (host) => `Autoriser ces identifiants pour ${host}`,
  bound: (name, host) => `« ${name} » peut maintenant être envoyé à ${host}.`,
  saved: (name) => `Identifiants « ${name} » enregistrés.`,
  deleted: (name) => `Identifiants « ${name} » supprimés.`,
  deleteTitle: "Supprimer ces identifiants ?",
  deleteText: (name) =>
    `Les flux et modèles qui utilisent « ${name} » échoueront jusqu’au choix d’autres identifiants. Cette action est irréversible.`,
};

export const models: Areas["models"] = {
  title: "Modèles",
  summary: "Modèles utilisés par les agents. Un flux peut indiquer le sien ; sinon, il utilise le modèle par défaut.",
  provider: "Fournisseur",
  model: "Modèle",
  modelHint:
    "En choisir un, ou saisir le nom de n’importe quel modèle du fournisseur. Laisser vide pour son modèle par défaut.",
  optional: (title) => `${title} (facultatif)`,
  keyStays: "La clé est stockée chiffrée sur ce serveur et jamais réaffichée.",
  refused: "Le modèle n’a pas répondu",
  connect: "Connecter un modèle",
  connectSubmit: "Tester et utiliser",
  credential: "Identifiants",
  serverKey: "Configuration du serveur",
  deletedCredential: "Identifiants supprimés",

  defaultTitle: "Modèle par défaut",
  providerDefault: "modèle par défaut du fournisseur",
  chosenHere: "Choisi ici. Prévaut sur l’environnement du serveur.",
  fromConfiguration: "Défini par l’environnement du serveur. Un modèle connecté ici le remplace.",
  rehearsal:
    "Aucun vrai modèle n’est connecté. Les flux utilisent le modèle d’essai : il suit des règles fixes, n’est pas une IA et le dit dans chaque réponse.",
  reset: "Utiliser la configuration du serveur",
  wasReset: "Le modèle par défaut vient maintenant de la configuration du serveur.",
  wasChosen: (title) => `${title} est maintenant le modèle par défaut.`,
  change: "Changer",
  changeTitle: "Choisir le modèle par défaut",
  test: "Tester la connexion",
  testing: "Test en cours…",
  answered: (model, durationMs) => `${model} a répondu en ${formatNumber(durationMs)} ms`,

  providersTitle: "Fournisseurs",
  isDefault: "Par défaut",
  images: "Prend en charge les images",
  credentialCount: (count) => counted(count, "jeu d’identifiants", "jeux d’identifiants"),
  noCredential: "Aucun identifiant",
  builtIn: "Intégré",
  addCredential: "Ajouter des identifiants",
};
