import type { Areas } from "../areas.ts";
import { formatNumber } from "../index.ts";

export const storeQuery: Areas["storeQuery"] = {
  compare: "Comparer",
  compareHelp: "Pose la même question dans chaque mode et affiche les résultats côte à côte.",
  asSetUp: "Selon les réglages",
  asSetUpHelp:
    "« Selon les réglages » ajoute les réglages de recherche de la base, comme un reclassement ; les autres modes les ignorent.",
  column: (mode) => `Passages : ${mode}`,
  places: {
    keyword: (place) => `n° ${place} par les mots`,
    vector: (place) => `n° ${place} par le sens`,
    hybrid: (place) => `n° ${place} en hybride`,
    store: (place) => `n° ${place} selon les réglages`,
  },
  absent: {
    keyword: (depth) => `pas dans les ${depth} premiers par les mots`,
    vector: (depth) => `pas dans les ${depth} premiers par le sens`,
    hybrid: (depth) => `pas dans les ${depth} premiers en hybride`,
    store: (depth) => `pas dans les ${depth} premiers selon les réglages`,
  },
  showAll: "Tout afficher",
  showLess: "Afficher moins",

  filter: "Filtre",
  filterOf: (conditions) => `Filtre (${formatNumber(conditions)})`,
  filterJson: "Filtre (JSON)",
  filterHelp:
    "Seuls les passages dont les métadonnées remplissent toutes les conditions sont trouvés. Les nombres, true et false sont comparés comme tels ; entre guillemets, comme du texte.",
  asFields: "Champs",
  asJson: "JSON",
  filterAs: "Écrire le filtre en",
  condition: (number) => `Condition ${number}`,
  field: "Métadonnée",
  operator: "Opérateur",
  operators: {
    $eq: "est",
    $ne: "n’est pas",
    $in: "est l’un de",
    $nin: "n’est aucun de",
    $gt: "supérieur à",
    $gte: "au moins",
    $lt: "inférieur à",
    $lte: "au plus",
    present: "est présente",
    absent: "est absente",
  },
  value: "Valeur",
  valuesPlaceholder: "un, deux, trois",
  addCondition: "Ajouter une condition",
  removeCondition: (number) => `Retirer la condition ${number}`,
  jsonWrong: "Le filtre doit être un objet JSON.",
};
