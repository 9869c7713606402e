import type { Areas } from "../areas.ts";

export const assistants: Areas["assistants"] = {
  title: "Assistants",
  summary: "Un modèle avec des instructions et des outils : un agent sans canevas.",
  create: "Nouvel assistant",
  search: "Rechercher un assistant",
  emptyTitle: "Aucun assistant",
  emptyText: "Donner à un modèle des instructions et des outils, puis dialoguer aussitôt avec lui. Sans canevas.",
  model: "Modèle",
  tools: "Outils",
  defaultModel: "Par défaut (serveur)",
  noTools: "Aucun",
  toolNames: {
    function: "Fonctions",
    code_interpreter: "Interpréteur de code",
    file_search: "Recherche de fichiers",
  },
  deleteTitle: "Supprimer cet assistant ?",
  deleteText: (name) =>
    `« ${name} » et ses chats seront supprimés. Ses exécutions sont conservées. Cette action est irréversible.`,
  deleted: (name) => `Assistant « ${name} » supprimé.`,

  newTitle: "Nouvel assistant",
  back: "Tous les assistants",
  who: "Général",
  name: "Nom",
  namePlaceholder: "Assistance",
  description: "Description",
  descriptionHelp: "Aide à choisir le bon assistant.",
  instructions: "Instructions",
  instructionsHelp:
    "Envoyées au modèle avant chaque conversation. {{ current_date_time }} insère la date et l’heure actuelles.",
  instructionsPlaceholder: "Tu réponds aux questions sur nos produits. Sois bref et cite tes sources.",
  modelHelp: "Laisser vide pour utiliser le modèle par défaut du serveur.",
  temperature: "Température",
  temperatureHelp: "0 est le plus prévisible, 2 le plus aléatoire. 1 laisse l’échantillonnage du modèle inchangé.",
  topP: "Top P",
  topPHelp:
    "Limite l’échantillonnage aux mots les plus probables dont la probabilité cumulée atteint cette valeur. 1 autorise tous les mots.",
  toolsHelp: "Ce qu’il peut utiliser de lui-même en répondant.",
  functionsHelp: "Outils personnalisés, écrits en JavaScript.",
  whichTools: "Outils autorisés",
  allTools: "Tous les outils",
  codeHelp: "Écrit du JavaScript et l’exécute dans un bac à sable, pour calculer au lieu de deviner.",
  fileHelp: "Cherche dans des bases documentaires avant de répondre et cite ses sources.",
  whichStores: "Bases documentaires à utiliser",
  chooseStores: "Choisir des bases",
  noStore: "Choisir au moins une base où chercher.",
  missing: (id) => `Supprimé (${id.slice(0, 8)})`,
  noMatch: "Aucun résultat.",

  chatTitle: "Chat",
  chatLater: "Enregistrer l’assistant pour dialoguer avec lui.",
  unsaved: "Le chat utilise la dernière version enregistrée.",
  leave: "Les modifications de cet assistant ne sont pas enregistrées.",
  conflict:
    "Quelqu’un d’autre a enregistré cet assistant entre-temps. Recharger pour voir ses modifications ; celles faites ici seront perdues.",
};
