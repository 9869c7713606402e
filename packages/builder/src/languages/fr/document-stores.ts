import type { Areas } from "../areas.ts";
import { formatNumber, withDecimals } from "../index.ts";
import { counted, plural } from "./plural.ts";

const segmentsOf = (number: number) => counted(number, "segment", "segments");

export const documentStores: Areas["documentStores"] = {
  title: "Bases documentaires",
  summary: "Documents dans lesquels les agents cherchent pour répondre et citer leurs sources.",
  create: "Nouvelle base",
  createTitle: "Nouvelle base documentaire",
  createHelp: "Utilisable immédiatement, sans clé ni réseau. Le modèle d’embedding peut être changé plus tard.",
  editTitle: "Nom et description",
  description: "Description",
  descriptionHelp: "Le sujet des documents, pour les utilisateurs. Les agents ont leur propre description.",
  search: "Rechercher une base",
  emptyTitle: "Aucune base documentaire",
  emptyText:
    "Une base contient des fichiers, des pages web et des textes, découpés en passages que les agents recherchent par le sens pour répondre aux questions.",
  deleteTitle: "Supprimer cette base ?",
  deleteText: (name, users) =>
    `« ${name} » sera supprimée avec ses documents et son index de recherche. ${
      users === 0
        ? ""
        : `${counted(users, "agent ou assistant ne pourra", "agents et assistants ne pourront")} plus y chercher. `
    }Cette action est irréversible.`,
  created: (name) => `Base « ${name} » créée.`,
  saved: (name) => `Base « ${name} » enregistrée.`,
  deleted: (name) => `Base « ${name} » supprimée.`,
  reload: "Charger la version actuelle",
  status: "État",
  documents: "Documents",
  chunks: "Segments",
  usedBy: "Utilisée par",
  unused: "Pas encore utilisée",
  unknownUser: "Un agent",
  moreUsers: (more) => `et ${counted(more, "autre", "autres")}`,
  back: "Toutes les bases documentaires",
  backToStore: (name) => name || "Base documentaire",
  statuses: {
    EMPTY: "Vide",
    NEW: "À traiter",
    SYNCING: "Traitement",
    SYNC: "À indexer",
    STALE: "Obsolète",
    UPSERTING: "Indexation",
    UPSERTED: "À jour",
  },
  statusHelp: {
    EMPTY: "Aucun document pour l’instant.",
    NEW: "Pas encore chargé. Lancer l’indexation pour le faire.",
    SYNCING: "Chargement et découpage des documents.",
    SYNC: "Documents découpés, mais pas encore interrogeables. Les indexer pour pouvoir y chercher.",
    STALE:
      "Modifié depuis la dernière indexation : les recherches renvoient encore la version précédente. Indexer à nouveau.",
    UPSERTING: "Écriture des documents dans la base vectorielle.",
    UPSERTED: "Tout peut être recherché.",
  },
  tabs: { documents: "Documents", query: "Recherche", settings: "Paramètres", history: "Historique" },

  upload: {
    drop: "Déposer des fichiers ou des dossiers ici",
    dropNow: "Déposer pour ajouter",
    or: "ou les choisir. Ils sont aussitôt découpés, vectorisés et interrogeables.",
    orPlain: "ou les choisir.",
    formats: "PDF, Word, Excel, PowerPoint, Markdown, texte, CSV, JSON, HTML",
    files: "Choisir des fichiers",
    folder: "Choisir un dossier",
    tooMany: (limit) =>
      `${counted(limit, "fichier", "fichiers")} au maximum à la fois. Les autres ont été ignorés : les ajouter ensuite.`,
    nothing: "Aucun fichier dans les éléments déposés.",
    sending: "Envoi en cours…",
    list: "Fichiers",
    remove: (name) => `Retirer ${name}`,
    more: (number) => `et ${counted(number, "autre fichier", "autres fichiers")}`,
    total: (number, size) => `${counted(number, "fichier", "fichiers")}, ${size}`,
    stored: "déjà stocké",
    title: (first, more) => (more === 0 ? first : `${first} et ${counted(more, "autre", "autres")}`),
    clear: "Tout retirer",
  },

  add: "Ajouter des documents",
  loaders: "Chargeurs",
  source: "Source",
  files: (number) => counted(number, "fichier", "fichiers"),
  noSource: "Aucune source",
  actions: {
    edit: "Modifier",
    chunks: "Voir les segments",
    upsert: "Recharger et indexer",
    insert: "Indexer les segments actuels",
    process: "Charger et découper seulement",
    deleteVectors: "Supprimer les vecteurs",
    delete: "Supprimer",
    editStore: "Nom et description",
    deleteAllVectors: "Supprimer tous les vecteurs",
    deleteStore: "Supprimer la base",
    use: "Utiliser dans un agent",
    newAssistant: "Nouvel assistant avec cette base",
  },
  use: {
    title: "Utiliser dans un agent",
    help: "Crée un agent qui cherche dans cette base et cite ses sources, puis l’ouvre à côté d’un chat. Pour utiliser la base dans un agent existant, la choisir sous Knowledge dans une étape d’agent.",
    name: "Nom de l’agent",
    nameOf: (store) => `Agent ${store}`,
    when: "Description pour le modèle",
    whenHelp: "Indique au modèle quand chercher dans cette base.",
    whenOf: (store, description) => `Cherche dans ${store}${description === "" ? "" : ` : ${description}`}`,
    submit: "Créer l’agent",
  },
  upsertAll: "Tout indexer",
  upsertAllHelp: "Recharge chaque source et n’écrit que ce qui a changé.",
  deleteLoaderTitle: "Supprimer ces documents ?",
  deleteLoaderText: (name) =>
    `« ${name} » sera supprimé avec ses segments et ses fichiers, et retiré des résultats de recherche. Cette action est irréversible.`,
  deleteVectorsTitle: "Supprimer ces vecteurs ?",
  deleteVectorsText: (name) =>
    `« ${name} » ne pourra plus être recherché jusqu’à la prochaine indexation. Les documents et les segments sont conservés.`,
  vectorsDeleted: (name) => `Vecteurs de « ${name} » supprimés.`,

  progress: {
    titles: {
      loading: "Chargement des documents",
      upserting: "Indexation",
      upserted: "Indexé",
      processed: "Chargé et découpé",
      failed: "Échec de l’indexation",
      cancelled: "Indexation annulée",
    },
    label: "Progression de l’indexation",
    documents: "Documents",
    chunks: "Segments",
    embedded: "Vectorisés",
    written: "Écrits",
    loading: "Chargement et découpage…",
    writing: (written, planned) =>
      `${formatNumber(written)} sur ${segmentsOf(planned)} ${plural(planned, "vectorisé et écrit", "vectorisés et écrits")}`,
    cancel: "Annuler",
    dismiss: "Masquer",
    result: (added, updated, skipped, deleted) =>
      `${counted(added, "ajouté", "ajoutés")}, ${counted(updated, "modifié", "modifiés")}, ${counted(skipped, "inchangé", "inchangés")}, ${counted(deleted, "supprimé", "supprimés")}.`,
    processed: (chunks) => `${counted(chunks, "segment prêt", "segments prêts")} à indexer.`,
    cancelled: (written) =>
      written === 0
        ? "Rien n’a été écrit : les résultats de recherche sont inchangés. Relancer l’indexation le moment venu."
        : `${counted(written, "segment écrit et interrogeable", "segments écrits et interrogeables")}. Relancer l’indexation pour le reste.`,
    failures: (number) =>
      `${counted(number, "source n’a pas pu être chargée", "sources n’ont pas pu être chargées")}. Toutes les autres l’ont été.`,
    tryQuery: "Essayer une recherche",
  },
  advice: {
    "document-unsupported": "Le convertir dans l’un de ces formats, puis l’ajouter à nouveau.",
    "document-unreadable":
      "L’enregistrer à nouveau, ou passer d’abord un OCR s’il s’agit d’une numérisation. Puis l’ajouter à nouveau.",
  },
  anyAdvice: "Vérifier la source, puis la recharger. Les sources déjà chargées sont ignorées.",

  loader: {
    newTitle: "Ajouter des documents",
    kind: "Type de source",
    name: "Nom",
    nameHelp: "Son nom dans la base.",
    splitter: "Découpage",
    splitterHelp: "Comment les documents sont découpés en passages interrogeables.",
    upsert: "Enregistrer et indexer",
    save: "Enregistrer seulement",
    saved: (name) => `« ${name} » enregistré. Lancer l’indexation pour pouvoir y chercher.`,
    leave: "Les modifications faites ici ne sont pas enregistrées.",
    unknownKind: (name) => `Ce serveur n’a pas de chargeur « ${name} ». En choisir un autre.`,
    preview: "Aperçu",
    previewHelp: "Charge et découpe selon ce formulaire. Rien n’est enregistré.",
    previewRun: "Afficher les segments",
    previewSome: (files) =>
      `Fichiers volumineux : l’aperçu se limite ${plural(files, `au premier (${files})`, `aux ${files} premiers`)}.`,
    previewTotal: (shown, total) =>
      shown === total ? segmentsOf(total) : `${counted(shown, "premier", "premiers")} sur ${segmentsOf(total)}`,
    previewNothing: "Aucun segment : la source ne contient pas de texte à découper.",
    previewOutdated: "Le formulaire a changé depuis cet aperçu.",
    incomplete: "Renseigner la source pour voir l’aperçu des segments.",
  },

  chunk: {
    title: (name) => `Segments de ${name}`,
    loadingTitle: "Segments",
    search: "Rechercher un segment",
    number: (number) => `#${number}`,
    characters: (number) => counted(number, "caractère", "caractères"),
    edit: "Modifier",
    editTitle: (number) => `Segment n° ${number}`,
    text: "Texte",
    metadata: "Métadonnées",
    metadataWrong: "Les métadonnées doivent être un objet JSON.",
    saved: "Segment enregistré. Indexer les segments pour mettre à jour les résultats de recherche.",
    deleted: "Segment supprimé. Indexer les segments pour le retirer des résultats de recherche.",
    deleteTitle: "Supprimer ce segment ?",
    deleteText: "Il réapparaîtra au prochain chargement de la source.",
    none: "Aucun segment",
    noneText: "Rien n’a encore été chargé. Indexer la base, ou seulement charger et découper ces documents.",
    outdated: "Les recherches renvoient encore la version précédente.",
    range: (first, last, total) => `${first}–${last} sur ${formatNumber(total)}`,
    pages: "Pages",
    previous: "Page précédente",
    next: "Page suivante",
  },

  query: {
    title: "Interroger la base",
    help: "Montre ce qu’un agent trouverait pour une question.",
    question: "Question",
    placeholder: "Combien de temps prend un remboursement ?",
    topK: "Passages",
    mode: "Mode",
    modes: { vector: "Sémantique", keyword: "Mots-clés", hybrid: "Hybride" },
    modeHelp:
      "La recherche sémantique trouve les sens proches, celle par mots-clés les noms et nombres exacts ; la recherche hybride combine les deux.",
    run: "Rechercher",
    found: (number, ms) => `${counted(number, "passage", "passages")} en ${formatNumber(ms)} ms`,
    results: "Passages trouvés",
    none: "Aucun passage trouvé. Reformuler la question ou essayer un autre mode.",
    empty: "Rien à chercher pour l’instant. Ajouter d’abord des documents.",
    score: (score) => `Score ${withDecimals(score, 3)}`,
    outdated: "Des modifications ne sont pas encore indexées : les recherches ne les trouvent pas.",
  },

  settings: {
    embedding: "Modèle d’embedding",
    embeddingHelp:
      "Convertit le texte en vecteurs pour la recherche par le sens. Le modèle intégré ne nécessite ni clé ni réseau.",
    vectorStore: "Base vectorielle",
    vectorStoreHelp:
      "Stocke les vecteurs et y effectue les recherches. La base intégrée ne nécessite ni configuration ni réseau.",
    recordManager: "Gestion des enregistrements",
    recordManagerHelp: "Détermine ce que deviennent les passages qui ne figurent plus dans une source.",
    kind: "Type",
    standard: "Sans clé ni réseau",
    foreign: (name) => `${name} (défini par un autre client)`,
    foreignHelp: "Sa configuration est conservée telle quelle. En choisir un autre pour le remplacer.",
    changes: "Changer le modèle d’embedding ou la base vectorielle oblige à tout réindexer.",
    save: "Enregistrer",
    savedState: "Enregistré",
    saved: "Paramètres enregistrés.",
    savedOutdated: "Paramètres enregistrés. Tout indexer pour les utiliser dans les recherches.",
  },

  history: {
    emptyTitle: "Aucune indexation",
    emptyText: "Chaque indexation apparaît ici avec ce qu’elle a ajouté, modifié et supprimé.",
    when: "Date",
    what: "Documents",
    added: "Ajoutés",
    updated: "Modifiés",
    skipped: "Inchangés",
    deleted: "Supprimés",
    failed: "Échecs",
    with: "Embedding",
    all: (number) => counted(number, "chargeur", "chargeurs"),
    gone: "Supprimé depuis",
  },
};
