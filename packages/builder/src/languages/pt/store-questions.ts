import type { Areas } from "../areas.ts";
import { formatNumber, withDecimals } from "../index.ts";
import { counted } from "./plural.ts";

export const storeQuestion: Areas["storeQuestion"] = {
  addTitle: "Adicionar uma pergunta",
  editTitle: "Editar a pergunta",
  add: "Adicionar pergunta",
  question: "Pergunta",
  documents: "Documentos que a respondem",
  documentsHelp: "Um por linha, com o nome que têm nos resultados. Qualquer um deles vale.",
  words: "O trecho deve conter",
  wordsHelp: "Opcional, um texto por linha. Um trecho só conta se contiver todos.",
  store: "Base de documentos",
  added: "A pergunta foi adicionada ao conjunto da base.",
  saved: "A pergunta foi salva.",
  fromAnswer: "Adicionar às perguntas",
  noStore: "A base de documentos destas fontes não existe mais.",
};

export const storeQuestions: Areas["storeQuestions"] = {
  tab: "Perguntas",
  title: "Conjunto de perguntas",
  help: "Perguntas com os documentos que devem ser encontrados. Verifique-as após uma mudança para ver se a base responde melhor ou pior.",
  emptyTitle: "Ainda não há perguntas",
  emptyText:
    "Adicione perguntas reais com os documentos que as respondem: aqui, a partir de uma busca em “Consulta” ou de uma resposta em um chat.",
  add: "Adicionar uma pergunta",
  import: "Importar",
  export: "Exportar",
  imported: (added, skipped) =>
    `${counted(added, "pergunta adicionada", "perguntas adicionadas")}, ${formatNumber(skipped)} já existiam.`,
  check: "Verificar agora",
  checking: "Verificando as perguntas",
  progress: (done, total) => `${formatNumber(done)} de ${counted(total, "pergunta feita", "perguntas feitas")}`,
  cancel: "Cancelar",
  cancelled: "A verificação foi cancelada. Nada dela foi guardado.",
  checked: (regressions) =>
    regressions === 0
      ? "Todas as perguntas foram verificadas."
      : `${counted(regressions, "pergunta piorou", "perguntas pioraram")}.`,

  afterIndexing: "Verificar as perguntas após cada indexação",
  afterIndexingHelp:
    "Quando documentos mudam, todas as perguntas são feitas ao fim da indexação. Uma queda do recall aparece aqui, no log e nas métricas.",
  checkWaiting: "Documentos mudaram. As perguntas serão verificadas quando a indexação terminar.",
  checkFailed: "A última verificação após a indexação falhou",
  results: "Última verificação",
  causedByIndexing: "após a indexação",
  dropTitle: (drop) => `O Recall@5 caiu ${withDecimals(drop, 3)}`,
  dropText:
    "Há menos documentos esperados entre os cinco primeiros do que na verificação anterior. As perguntas que pioraram aparecem primeiro abaixo.",
  recall1Help: "Parte dos documentos esperados que veio em primeiro lugar",
  recall5Help: "Parte dos documentos esperados entre os cinco primeiros",
  mrrHelp: "Média de 1 / posição do primeiro documento certo",
  change: (difference) => `${difference > 0 ? "+" : "−"}${withDecimals(Math.abs(difference), 3)}`,
  unchanged: "sem mudança",
  settings: (model, mode, splitters, reranker) => `${model} · ${mode} · ${splitters} · ${reranker}`,
  noReranker: "sem reordenação",
  took: (questions, ms) => `${counted(questions, "pergunta", "perguntas")} em ${formatNumber(ms)} ms`,
  chart: "Ao longo do tempo",
  chartSummary: (checks, first, last) =>
    `Recall e MRR de ${counted(checks, "verificação", "verificações")}; MRR de ${first} a ${last}`,

  list: "Lista de perguntas",
  search: "Buscar perguntas",
  question: "Pergunta",
  expected: "Esperado",
  mustContain: (words) => `com “${words}”`,
  place: "Posição",
  notFound: "Não encontrado",
  notChecked: "Ainda não verificada",
  was: (place) => `antes ${place}`,
  wasNotFound: "antes não encontrado",
  worse: "Pior",
  better: "Melhor",
  found: "Trechos encontrados",
  nothingFound: "Nada foi encontrado.",
  right: "Certo",
  deleteTitle: "Excluir esta pergunta?",
  deleteText: (question) => `Exclui “${question}” do conjunto. As verificações anteriores mantêm seus números.`,
  passageIsRight: "Este trecho está certo",
};
