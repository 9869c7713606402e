import type { Areas } from "../areas.ts";
import { formatDollars } from "../index.ts";
import { counted } from "./plural.ts";

export const prices: Areas["prices"] = {
  title: "Preços",
  summary:
    "Quanto custam as chamadas de modelos, em dólares americanos por milhão de tokens. As execuções usam estes preços assim que são definidos.",
  sourceTitle: "Lista de preços",
  sourceText: (count, date) =>
    `${counted(count, "modelo", "modelos")}, em ${date}. A lista vem com esta versão e nunca é baixada.`,
  source: "Fonte",
  licence: "Licença",
  date: "Data",
  table: "Modelos",
  search: "Buscar modelos",
  emptyTitle: "Nenhum modelo foi chamado ainda",
  emptyText: "Os modelos aparecem aqui depois que uma execução os chama. Os preços podem ser definidos antes.",
  model: "Modelo",
  input: "Entrada",
  output: "Saída",
  origin: "Origem",
  none: "–",
  dollars: (amount) => formatDollars(amount, 2, 6),
  origins: {
    set: "Definido aqui",
    environment: "Configuração do servidor",
    list: "Lista de preços",
    none: "Sem preço",
  },
  noPriceHint: "As execuções dele não têm custo até que um preço seja definido.",
  add: "Definir um preço",
  edit: "Alterar o preço",
  reset: "Remover o preço próprio",
  addTitle: "Definir o preço de um modelo",
  editTitle: (model) => `Preço de ${model}`,
  modelHint: "Provedor e nome, como as execuções mostram: openai/gpt-4o-mini",
  inputLabel: "Entrada, dólares por milhão de tokens",
  outputLabel: "Saída, dólares por milhão de tokens",
  badModel: "Digite provedor e nome separados por uma barra, como openai/gpt-4o-mini.",
  badPrice: "Digite um valor em dólares: 0 ou mais, no máximo 1.000.000.",
  unknownModel:
    "Nem a lista de preços nem uma execução conhecem este modelo. O preço vale quando uma execução o chamar.",
  listed: (input, output) => `Segundo a lista de preços: ${input} de entrada e ${output} de saída.`,
  saved: (model) => `As execuções de ${model} custam isto a partir de agora. Os custos anteriores ficam.`,
  removed: (model) => `O preço próprio de ${model} foi removido.`,
};
