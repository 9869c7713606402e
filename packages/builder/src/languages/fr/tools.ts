import type { Areas } from "../areas.ts";
import { formatNumber } from "../index.ts";

export const tools: Areas["tools"] = {
  title: "Outils",
  summary:
    "Fonctions JavaScript que les agents peuvent appeler. Elles s’exécutent dans un bac à sable et n’accèdent à d’autres services que par fetch.",
  create: "Nouvel outil",
  search: "Rechercher un outil",
  emptyTitle: "Aucun outil",
  emptyText:
    "Un outil donne à un agent du code à exécuter : interroger un système, calculer un prix, chercher une information.",
  parameters: "Paramètres",
  noParameters: "Aucun",
  notReadable: "JSON Schema",
  deleteTitle: "Supprimer cet outil ?",
  deleteText: (name) => `Les agents qui utilisent « ${name} » échoueront à l’exécution. Cette action est irréversible.`,
  deleted: (name) => `Outil « ${name} » supprimé.`,
  saved: (name) => `Outil « ${name} » enregistré.`,
  copyOf: (name) => `${name}_copie`,

  newTitle: "Nouvel outil",
  back: "Tous les outils",
  name: "Nom",
  nameHelp: "Le nom que le modèle utilise. Lettres, chiffres et _ uniquement.",
  namePlaceholder: "get_weather",
  description: "Description",
  descriptionHelp: "Indique au modèle ce que fait l’outil et quand l’appeler.",
  descriptionPlaceholder: "Renvoie la météo du jour pour une ville.",
  colour: "Couleur",
  icon: "Icône",
  iconUpload: "Importer",
  iconRemove: "Supprimer",
  iconTooLarge: (limitKb) => `Image trop lourde : choisir une image de ${limitKb} ko au maximum.`,
  iconRemote: "Les images d’autres sites sont conservées, mais pas affichées ici.",
  parametersHelp: "Remplis par le modèle. Le code lit chacun avec $name.",
  code: "Code",
  codeHelp:
    "Le corps d’une fonction async ; renvoyer le résultat avec return. Le texte est transmis tel quel au modèle, le reste en JSON.",
  codePlaceholder: 'const response = await fetch("https://example.com/" + $city);\nreturn await response.text();',
  known: "Disponible dans le code",
  knownNames: {
    vars: "les variables, par exemple $vars.company",
    flow: "l’exécution : chatId, sessionId, input, state",
    fetch: "requêtes HTTP, selon les règles du serveur",
  },
  parameter: "paramètre",
  test: "Essayer",
  testHelp: "Appelle réellement l’outil, avec le code de ce formulaire.",
  run: "Exécuter",
  stop: "Arrêter",
  saveFirst: "Enregistrer l’outil pour l’essayer.",
  noInput: "Cet outil n’a pas de paramètres.",
  result: "Résultat",
  failed: "Le code a échoué",
  logs: "Console",
  duration: (ms) => `${formatNumber(ms)} ms`,
  emptyResult: "Texte vide",

  leave: "Les modifications de cet outil ne sont pas enregistrées.",
  conflict:
    "Quelqu’un d’autre a enregistré cet outil entre-temps. Recharger pour voir ses modifications ; celles faites ici seront perdues.",
};
