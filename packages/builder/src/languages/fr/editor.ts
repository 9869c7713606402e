import type { Areas } from "../areas.ts";
import { counted } from "./plural.ts";

const warningsOf = (count: number) => counted(count, "avertissement", "avertissements");
const problemsOf = (count: number) => counted(count, "problème", "problèmes");

export const editor: Areas["canvas"]["editor"] = {
  opening: "Ouverture de l’agent",
  notOpened: "Impossible d’ouvrir l’agent",
  notSaved: "Non enregistré",
  missingStep: (id) => `L’étape ${id} n’est plus dans ce flux.`,
  back: "Tous les agents",
  name: "Nom de l’agent",
  draft: {
    saved: "Brouillon enregistré",
    waiting: "Brouillon modifié",
    saving: "Enregistrement du brouillon…",
    changed:
      "Quelqu’un d’autre a modifié ce flux depuis son ouverture. Choisir la version à conserver ; d’ici là, rien n’est enregistré.",
    failed: (problem) => `Brouillon non enregistré : ${problem}`,
    loadTheirs: "Charger l’autre",
    keepMine: "Garder la mienne",
  },
  published: "Publié",
  publishedWith: (problems, warnings) => `Publié · ${problems > 0 ? problemsOf(problems) : warningsOf(warnings)}`,
  publish: "Publier",
  undo: "Annuler",
  redo: "Rétablir",
  chat: "Chat",
  code: {
    title: "Code du flux",
    close: "Fermer le code",
    valid: "Flux valide, affiché sur le canevas.",
    notJson: (problem) => `Pas encore du JSON : ${problem}. Le canevas affiche le dernier flux valide.`,
    notFlow: (path, problem) =>
      `Pas encore un flux${path === "" ? "" : ` (${path})`} : ${problem}. Le canevas affiche le dernier flux valide.`,
  },
  panel: {
    step: "Étape",
    chat: "Chat",
    code: "Code",
    choose: "Panneau latéral",
    resize: "Largeur du panneau latéral",
  },
  foreign: {
    shown: (dialect) =>
      `Cet agent est enregistré dans un autre format de flux (${dialect}). Le canevas montre comment il s’exécute.`,
    nothing: "Le canevas est vide.",
    untouched: "Le flux enregistré reste inchangé jusqu’à la publication.",
    rewritten: "La publication le convertit au format natif et conserve l’original comme version antérieure.",
  },
  actions: {
    add: "Ajouter une étape",
    chat: "Ouvrir ou fermer le chat",
    code: "Modifier le code du flux",
    tidyUp: "Réorganiser le canevas",
    fit: "Ajuster le flux à la fenêtre",
    versions: "Afficher les versions",
    help: "Afficher les raccourcis clavier",
  },
  menu: {
    label: "Autres actions",
    versions: "Versions",
    code: "Modifier le code",
    discard: "Abandonner le brouillon",
    duplicate: "Dupliquer l’agent",
    copyOf: (name) => `Copie de ${name}`,
    import: "Importer un flux",
    export: "Exporter le flux",
    help: "Raccourcis clavier",
  },
  findings: {
    label: (count) => (count === 0 ? "Aucune remarque" : counted(count, "remarque", "remarques")),
    none: "Aucun problème détecté dans ce flux.",
    error: "Erreur",
    warning: "Avertissement",
  },
  outdated: {
    plain: "Quelqu’un d’autre a publié cet agent depuis son ouverture.",
    withEdits:
      "Quelqu’un d’autre a publié cet agent depuis son ouverture. Le choix de la version à conserver se fait à la publication.",
    load: "Charger l’autre",
  },
  destinations: {
    title: "Où vont les identifiants",
    text: "Cet agent enverrait des identifiants à des adresses que personne n’a encore autorisées. N’autoriser que des adresses connues et sûres.",
    ofStep: (name, destination, step) => `L’étape « ${step} » enverra « ${name} » à ${destination}.`,
    ofAgent: (name, destination) => `« ${name} » sera envoyé à ${destination}.`,
    allow: "Autoriser et publier",
    without: "Publier sans autoriser",
  },
  conflict: {
    title: "Quelqu’un d’autre a publié cet agent",
    text: "Il a changé depuis son ouverture. « Garder la mienne » en fait la version la plus récente ; « Charger l’autre » abandonne les modifications. Dans les deux cas, l’autre version reste dans l’historique.",
    keepMine: "Garder la mienne",
    loadTheirs: "Charger l’autre",
  },
  leaving: {
    title: "Quitter sans enregistrer ?",
    text: "Les dernières modifications du brouillon n’ont pas pu être enregistrées.",
    leave: "Quitter sans enregistrer",
    stay: "Rester",
  },
  import: {
    title: "Importer un flux",
    text: "Choisir un flux exporté de Weft, un fichier AgentFlow V2, un chatflow classique ou un flux multi-agents. Il remplace le contenu du canevas ; « Annuler » le rétablit.",
    choose: "Choisir un fichier",
    paste: "Ou coller le texte du flux",
    unread: "Flux non valide",
    several: (count) => `Le fichier contient ${counted(count, "flux", "flux")}`,
    chooseFlow: "En choisir un",
    found: (dialect, steps, connections) =>
      `${dialect === "native" ? "Flux" : `Flux dans un autre format (${dialect})`} de ${counted(steps, "étape", "étapes")} et ${counted(connections, "connexion", "connexions")}.`,
    choices: "Correspondances",
    findings: "Remarques sur l’import",
    cancel: "Annuler",
    replace: "Remplacer le canevas",
  },
  versions: {
    title: "Versions",
    number: (number) => `Version ${number}`,
    current: "Actuelle",
    restore: (number) => `Restaurer la version ${number}`,
    keepsVersions: "Elle devient la version la plus récente.",
    losesEdits: "Elle devient la version la plus récente, et le brouillon est abandonné.",
  },
  diff: {
    since: "Différences entre cette version et le canevas",
    none: "Le canevas correspond à cette version.",
    edges: (added, removed) =>
      `Connexions : ${counted(added, "ajoutée", "ajoutées")}, ${counted(removed, "supprimée", "supprimées")}`,
    moved: (count) => `${counted(count, "étape déplacée", "étapes déplacées")} sur le canevas`,
    kinds: { added: "Ajoutée", removed: "Supprimée", changed: "Modifiée" },
    emptyText: "(vide)",
    views: "Affichage des différences",
    steps: "Étapes",
    text: "Texte",
    unchanged: (count) => `Afficher ${counted(count, "ligne inchangée", "lignes inchangées")}`,
    tooDifferent: "Les deux ont trop peu en commun pour être comparés ligne par ligne.",
  },
};
