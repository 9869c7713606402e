import type { Areas } from "../areas.ts";
import { languageTag } from "../index.ts";
import { counted } from "./plural.ts";

export const prices: Areas["prices"] = {
  title: "Prix",
  summary:
    "Le coût des appels de modèle, en dollars américains par million de tokens. Les exécutions utilisent ces prix dès qu’ils sont définis.",
  sourceTitle: "Liste de prix",
  sourceText: (count, date) =>
    `${counted(count, "modèle", "modèles")}, au ${date}. La liste est fournie avec cette version et n’est jamais téléchargée.`,
  source: "Source",
  licence: "Licence",
  date: "Date",
  table: "Modèles",
  search: "Rechercher un modèle",
  emptyTitle: "Aucun modèle appelé",
  emptyText: "Les modèles apparaissent ici dès qu’une exécution les a appelés. Leur prix peut être défini à l’avance.",
  model: "Modèle",
  input: "Entrée",
  output: "Sortie",
  origin: "Origine",
  none: "–",
  dollars: (amount) =>
    `$${amount.toLocaleString(languageTag(), { minimumFractionDigits: 2, maximumFractionDigits: 6 })}`,
  origins: {
    set: "Défini ici",
    environment: "Configuration du serveur",
    list: "Liste de prix",
    none: "Sans prix",
  },
  noPriceHint: "Ses exécutions n’ont pas de coût tant qu’aucun prix n’est défini.",
  add: "Définir un prix",
  edit: "Modifier le prix",
  reset: "Supprimer le prix personnalisé",
  addTitle: "Définir le prix d’un modèle",
  editTitle: (model) => `Prix de ${model}`,
  modelHint: "Fournisseur et nom, comme dans les exécutions : openai/gpt-4o-mini",
  inputLabel: "Entrée, en dollars par million de tokens",
  outputLabel: "Sortie, en dollars par million de tokens",
  badModel: "Saisir le fournisseur et le nom séparés par une barre oblique, comme openai/gpt-4o-mini.",
  badPrice: "Saisir un montant en dollars : 0 ou plus, 1 000 000 au maximum.",
  unknownModel:
    "Ni la liste de prix ni aucune exécution ne connaît ce modèle. Le prix s’appliquera dès qu’une exécution l’appellera.",
  listed: (input, output) => `Selon la liste de prix : ${input} en entrée et ${output} en sortie.`,
  saved: (model) => `Ce prix s’applique désormais aux exécutions de ${model}. Les coûts antérieurs restent inchangés.`,
  removed: (model) => `Le prix personnalisé de ${model} a été supprimé.`,
};
