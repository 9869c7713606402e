import type { Areas } from "../areas.ts";
import { formatList, formatNumber } from "../index.ts";
import { plural } from "./plural.ts";

export const flowiseMove: Areas["flowiseMove"] = {
  title: "Migrer depuis Flowise",
  summary:
    "Reprend agents, identifiants, clés API, bases documentaires, chats et plus encore d’une base de données Flowise, sous les mêmes ID. Un essai à blanc montre ce qui se passerait avant que rien ne soit écrit.",
  back: "Paramètres",
  forbiddenTitle: "Import non autorisé",
  forbiddenText:
    "Importer une installation nécessite l’autorisation installation:import. La demander à un administrateur.",

  file: "Fichier",
  fileText:
    "Arrêter Flowise, puis choisir son database.sqlite, qui se trouve dans DATABASE_PATH ou dans ~/.flowise. Sans accès à ce serveur, choisir le ExportData.json que crée l’export de Flowise ; il ne contient ni identifiants, ni clés API, ni prospects, ni valeurs de variables.",
  commandText:
    "Les bases PostgreSQL, MySQL et MariaDB, les fichiers de plus de 2 Gio et les fichiers du dossier de stockage ne peuvent être importés que sur le serveur :",
  choose: "Choisir un fichier",
  chooseAgain: "Choisir le fichier et continuer",
  emptyFile: (name) => `${name} est vide. Choisir database.sqlite ou ExportData.json.`,
  tooLarge: (name) =>
    `${name} dépasse 2 Gio, le maximum pour un envoi. Lancer plutôt npm run import-flowise sur le serveur.`,
  uploading: (name) => `Envoi de ${name}`,
  uploaded: (sent, size) => `${sent} sur ${size} envoyés`,
  uploadGoesOn: "Les autres pages restent utilisables ; garder cette fenêtre ouverte.",
  lost: "La connexion a été perdue. L’envoi reprend dès que le serveur est joignable.",
  stopUpload: "Arrêter l’envoi",
  incomplete: (name, received, size) =>
    `${received} sur ${size} de ${name} ont été envoyés. Choisir le même fichier pour continuer, ou un autre pour recommencer.`,
  complete: (name, size) => `${name} (${size}) a été envoyé.`,
  remove: "Supprimer le fichier envoyé",

  choices: "Choix",
  key: "Clé de chiffrement",
  keyText:
    "Le texte de encryption.key, qui se trouve dans SECRETKEY_PATH ou dans ~/.flowise, ou la valeur de FLOWISE_SECRETKEY_OVERWRITE. Sans elle, les identifiants sont importés sans leurs valeurs.",
  noKeyNeeded: "ExportData.json ne contient pas d’identifiants : aucune clé n’est nécessaire.",
  keyGiven: "Le serveur a la clé. Il la garde seulement en mémoire, jusqu’à la fin de l’import.",
  changeKey: "Changer la clé",
  readKey: "Lire depuis un fichier",
  notAKey: (name) => `${name} est trop volumineux pour être une clé. Choisir encryption.key.`,
  workspace: "Espace de travail",
  allWorkspaces: "Tous les espaces de travail",
  openFlows: "Agents sans clé API",
  openFlowsText: "Dans Flowise, ils répondent à tout le monde. Choisir ce qu’ils deviennent ici.",
  openFlowsChoices: {
    closed: "Exiger une clé API",
    public: "Répondre à tous, si le serveur est lancé avec ALLOW_PUBLIC_FLOWS=true",
  },
  destinations: "Laisser les identifiants aller là où les flux les envoient",
  destinationsText:
    "L’essai à blanc indique ces adresses pour chaque agent. Sans cela, les agents ne les appellent qu’une fois chacune autorisée.",
  startDryRun: "Lancer l’essai à blanc",
  repeatDryRun: "Refaire l’essai à blanc",
  changed: "Les choix ont changé depuis le dernier essai à blanc. Le refaire avant d’importer.",

  dryRun: "Essai à blanc",
  import: "Importation",
  submit: "Importer",
  opening: "Ouverture du fichier…",
  reading: (kind, done, total) => `${kind} : ${formatNumber(done)} lus sur ${formatNumber(total)}`,
  goesOn: "Le serveur continue si cette page est fermée. Y revenir pour voir le rapport.",
  outOfReach: "Le serveur est injoignable pour le moment. Ce qu’il faisait y continue, s’il fonctionne encore.",
  stop: "Arrêter",
  stopTitle: "Arrêter et supprimer le fichier ?",
  stopDryRunText: "Rien n’a été écrit. Le fichier envoyé et la clé sont supprimés du serveur.",
  stopImportText:
    "Ce qui est déjà importé reste. Le fichier envoyé et la clé sont supprimés du serveur ; pour ajouter le reste, renvoyer le fichier et importer à nouveau.",
  dryRunFailed: "L’essai à blanc a échoué",
  importFailed: "L’import a échoué",

  wouldAdd: (rows) =>
    `Un import ajouterait ${formatNumber(rows)} ${plural(rows, "élément", "éléments")}. Rien n’a encore été écrit.`,
  nothingToAdd: "Tout le contenu de ce fichier est déjà ici. Un import n’écrirait rien.",
  added: (rows) => `${formatNumber(rows)} ${plural(rows, "élément a été importé", "éléments ont été importés")}.`,
  nothingAdded: "Tout le contenu de ce fichier était déjà ici. Rien n’a été écrit.",
  removed:
    "Le fichier envoyé et la clé ont été supprimés du serveur. Ce rapport reste jusqu’au redémarrage du serveur.",
  downloadReport: "Télécharger le rapport",
  close: "Fermer le rapport",

  counts: "Éléments par type",
  kind: "Type",
  columns: { read: "Lus", written: "Nouveaux", there: "Déjà ici", left: "Écartés" },
  kinds: {
    credential: "Identifiants",
    variable: "Variables",
    tool: "Outils",
    custom_mcp_server: "Serveurs MCP",
    apikey: "Clés API",
    document_store: "Bases documentaires",
    "document_store.loaders": "Chargeurs",
    document_store_file_chunk: "Segments",
    chat_flow: "Agents",
    assistant: "Assistants",
    schedule_record: "Planifications",
    chat_message: "Messages de chat",
    "files of chats": "Fichiers des chats",
    chat_message_feedback: "Avis",
    lead: "Prospects",
    upsert_history: "Historique d’indexation",
    execution: "Exécutions",
  },
  left: "Écartés, et pourquoi",

  todo: "À faire",
  environment:
    "Définir ces variables dans l’environnement du serveur et le redémarrer. Si une variable est déjà définie, compléter sa liste.",
  publicFlows: "Les agents publics répondent à tous une fois ALLOW_PUBLIC_FLOWS=true défini.",
  runtimeVariables: (names) =>
    `Des flux lisent ${formatList(names)} dans l’environnement : y définir chaque variable et la nommer dans RUNTIME_VARIABLES.`,
  privateHosts: (hosts) =>
    `Des flux appellent ${formatList(hosts)} sur un réseau privé. Ne garder dans EGRESS_ALLOW que ce qu’ils doivent atteindre.`,
  schedules: (names) =>
    `Les planifications arrivent désactivées. Une fois Flowise arrêté, les activer ici : ${formatList(names)}.`,
  embedding: (stores) =>
    `Des passages sont à nouveau vectorisés pour ${formatList(stores)}. Les bases documentaires montrent l’avancement.`,
  openStores: "Ouvrir les bases documentaires",

  agents: "Agents",
  agentCounts: (clear, withFindings) =>
    `${formatNumber(clear)} sans remarques, ${formatNumber(withFindings)} avec remarques`,
  access: {
    key: "Exige sa clé API, comme dans Flowise",
    public: "Ouvert à tous, comme dans Flowise",
    closed: "Exige une clé API ; dans Flowise, il répondait à tous",
  },
  notMoved: (counts) => `Non repris, faute d’équivalent ici : ${counts.join(", ")}.`,
};
