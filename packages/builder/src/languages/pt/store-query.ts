import type { Areas } from "../areas.ts";
import { formatNumber } from "../index.ts";

export const storeQuery: Areas["storeQuery"] = {
  compare: "Comparar",
  compareHelp: "Faz a mesma pergunta em cada modo e mostra os resultados lado a lado.",
  asSetUp: "Conforme configurado",
  asSetUpHelp:
    "“Conforme configurado” usa as configurações de busca da base, como um reordenador; os outros modos as ignoram.",
  column: (mode) => `Trechos: ${mode}`,
  places: {
    keyword: (place) => `nº ${place} por palavras`,
    vector: (place) => `nº ${place} por significado`,
    hybrid: (place) => `nº ${place} na híbrida`,
    store: (place) => `nº ${place} conforme configurado`,
  },
  absent: {
    keyword: (depth) => `fora dos primeiros ${depth} por palavras`,
    vector: (depth) => `fora dos primeiros ${depth} por significado`,
    hybrid: (depth) => `fora dos primeiros ${depth} na híbrida`,
    store: (depth) => `fora dos primeiros ${depth} conforme configurado`,
  },
  showAll: "Mostrar tudo",
  showLess: "Mostrar menos",

  filter: "Filtro",
  filterOf: (conditions) => `Filtro (${formatNumber(conditions)})`,
  filterJson: "Filtro (JSON)",
  filterHelp:
    "Só são encontrados trechos cujos metadados atendem a todas as condições. Números, true e false são comparados como tais; entre aspas, como texto.",
  asFields: "Campos",
  asJson: "JSON",
  filterAs: "Escrever o filtro como",
  condition: (number) => `Condição ${number}`,
  field: "Metadado",
  operator: "Operador",
  operators: {
    $eq: "é",
    $ne: "não é",
    $in: "é um de",
    $nin: "não é nenhum de",
    $gt: "maior que",
    $gte: "no mínimo",
    $lt: "menor que",
    $lte: "no máximo",
    present: "está presente",
    absent: "está ausente",
  },
  value: "Valor",
  valuesPlaceholder: "um, dois, três",
  addCondition: "Adicionar uma condição",
  removeCondition: (number) => `Remover a condição ${number}`,
  jsonWrong: "O filtro deve ser um objeto JSON.",
};
