import type { Areas } from "../areas.ts";
import { formatDollars } from "../index.ts";
import { counted } from "./plural.ts";

export const prices: Areas["prices"] = {
  title: "Prix",
  summary:
    "Le coût des appels de modèles, en dollars américains par million de tokens. Les exécutions utilisent ces prix dès qu’ils sont définis.",
  sourceTitle: "Liste de prix",
  sourceText: (count, date) =>
    `${counted(count, "modèle", "modèles")}, au ${date}. La liste est livrée avec cette version et n’est jamais téléchargée.`,
  source: "Source",
  licence: "Licence",
  date: "Date",
  table: "Modèles",
  search: "Rechercher des modèles",
  emptyTitle: "Aucun modèle n’a encore été appelé",
  emptyText: "Les modèles apparaissent ici dès qu’une exécution les a appelés. Leurs prix peuvent être définis avant.",
  model: "Modèle",
  input: "Entrée",
  output: "Sortie",
  origin: "Origine",
  none: "–",
  dollars: (amount) => formatDollars(amount, 2, 6),
  origins: {
    set: "Défini ici",
    environment: "Configuration du serveur",
    list: "Liste de prix",
    none: "Aucun prix",
  },
  noPriceHint: "Ses exécutions n’ont pas de coût tant qu’aucun prix n’est défini.",
  add: "Définir un prix",
  edit: "Modifier le prix",
  reset: "Supprimer le prix défini ici",
  addTitle: "Définir le prix d’un modèle",
  editTitle: (model) => `Prix de ${model}`,
  modelHint: "Fournisseur et nom, tels que les exécutions les montrent : openai/gpt-4o-mini",
  inputLabel: "Entrée, dollars par million de tokens",
  outputLabel: "Sortie, dollars par million de tokens",
  badModel: "Saisir le fournisseur et le nom séparés par une barre oblique, par exemple openai/gpt-4o-mini.",
  badPrice: "Saisir un montant en dollars : 0 ou plus, 1 000 000 au maximum.",
  unknownModel:
    "Ni la liste de prix ni aucune exécution ne connaît ce modèle. Le prix s’applique dès qu’une exécution l’appelle.",
  listed: (input, output) => `D’après la liste de prix : ${input} en entrée et ${output} en sortie.`,
  saved: (model) => `Les exécutions de ${model} coûtent désormais ce prix. Les coûts antérieurs restent.`,
  removed: (model) => `Le prix de ${model} défini ici a été supprimé.`,
};
