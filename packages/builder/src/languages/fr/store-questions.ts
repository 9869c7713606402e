import type { Areas } from "../areas.ts";
import { formatNumber, withDecimals } from "../index.ts";
import { counted } from "./plural.ts";

export const storeQuestion: Areas["storeQuestion"] = {
  addTitle: "Ajouter une question",
  editTitle: "Modifier la question",
  add: "Ajouter la question",
  question: "Question",
  documents: "Documents qui y répondent",
  documentsHelp: "Un par ligne, nommé comme dans les résultats. N’importe lequel compte.",
  words: "Le passage doit contenir",
  wordsHelp: "Facultatif, un texte par ligne. Un passage ne compte que s’il les contient tous.",
  store: "Base documentaire",
  added: "La question a été ajoutée au jeu de questions de la base.",
  saved: "La question a été enregistrée.",
  fromAnswer: "Ajouter aux questions",
  noStore: "La base documentaire de ces sources n’existe plus.",
};

export const storeQuestions: Areas["storeQuestions"] = {
  tab: "Jeu de questions",
  title: "Questions et documents attendus",
  help: "Des questions et les documents à trouver. À vérifier après un changement pour voir si la base répond mieux ou moins bien.",
  emptyTitle: "Aucune question pour l’instant",
  emptyText:
    "Ajouter de vraies questions avec les documents qui y répondent : ici, depuis une recherche dans l’onglet « Recherche » ou depuis une réponse dans un chat.",
  add: "Ajouter une question",
  import: "Importer",
  export: "Exporter",
  imported: (added, skipped) =>
    `${counted(added, "question ajoutée", "questions ajoutées")}, ${formatNumber(skipped)} déjà présentes.`,
  check: "Vérifier maintenant",
  checking: "Vérification des questions",
  progress: (done, total) => `${formatNumber(done)} sur ${counted(total, "question posée", "questions posées")}`,
  cancel: "Annuler",
  cancelled: "La vérification a été annulée. Rien n’en a été conservé.",
  checked: (regressions) =>
    regressions === 0
      ? "Toutes les questions ont été vérifiées."
      : `${counted(regressions, "question a régressé", "questions ont régressé")}.`,

  afterIndexing: "Vérifier les questions après chaque indexation",
  afterIndexingHelp:
    "Quand des documents ont changé, toutes les questions sont posées dès la fin de l’indexation. Une baisse du rappel est signalée ici, dans le journal et dans les métriques.",
  checkWaiting: "Des documents ont changé. Les questions seront vérifiées dès la fin de l’indexation.",
  checkFailed: "La dernière vérification après indexation a échoué",
  results: "Dernière vérification",
  causedByIndexing: "après indexation",
  dropTitle: (drop) => `Le Recall@5 a baissé de ${withDecimals(drop, 3)}`,
  dropText:
    "Moins de documents attendus figurent parmi les cinq premiers qu’à la vérification précédente. Les questions moins bien traitées apparaissent en premier ci-dessous.",
  recall1Help: "Part des documents attendus arrivés en tête",
  recall5Help: "Part des documents attendus parmi les cinq premiers",
  mrrHelp: "Moyenne de 1 / rang du premier document juste",
  change: (difference) => `${difference > 0 ? "+" : "−"}${withDecimals(Math.abs(difference), 3)}`,
  unchanged: "inchangé",
  settings: (model, mode, splitters, reranker) => `${model} · ${mode} · ${splitters} · ${reranker}`,
  noReranker: "sans reclassement",
  took: (questions, ms) => `${counted(questions, "question", "questions")} en ${formatNumber(ms)} ms`,
  chart: "Évolution",
  chartSummary: (checks, first, last) =>
    `Recall et MRR de ${counted(checks, "vérification", "vérifications")} ; MRR de ${first} à ${last}`,

  list: "Liste des questions",
  search: "Chercher des questions",
  question: "Question",
  expected: "Attendu",
  mustContain: (words) => `avec « ${words} »`,
  place: "Rang",
  notFound: "Introuvable",
  notChecked: "Pas encore vérifiée",
  was: (place) => `avant : ${place}`,
  wasNotFound: "introuvable avant",
  worse: "Moins bien",
  better: "Mieux",
  found: "Passages trouvés",
  nothingFound: "Rien n’a été trouvé.",
  right: "Juste",
  deleteTitle: "Supprimer cette question ?",
  deleteText: (question) => `Supprime « ${question} » du jeu. Les vérifications précédentes gardent leurs chiffres.`,
  passageIsRight: "Ce passage est juste",
};
