import type { Areas } from "../areas.ts";
import { formatNumber, withDecimals } from "../index.ts";
import { counted } from "./plural.ts";

export const storeQuestion: Areas["storeQuestion"] = {
  addTitle: "Agregar una pregunta",
  editTitle: "Editar la pregunta",
  add: "Agregar pregunta",
  question: "Pregunta",
  documents: "Documentos que la responden",
  documentsHelp: "Uno por línea, con el nombre que tienen en los resultados. Vale cualquiera de ellos.",
  words: "El pasaje debe contener",
  wordsHelp: "Opcional, un texto por línea. Un pasaje solo cuenta si los contiene todos.",
  store: "Almacén de documentos",
  added: "La pregunta se agregó al conjunto del almacén.",
  saved: "La pregunta se guardó.",
  fromAnswer: "Agregar a las preguntas",
  noStore: "El almacén de documentos de estas fuentes ya no existe.",
};

export const storeQuestions: Areas["storeQuestions"] = {
  tab: "Preguntas",
  title: "Conjunto de preguntas",
  help: "Preguntas con los documentos que deben encontrarse. Comprobarlas después de un cambio para ver si el almacén responde mejor o peor.",
  emptyTitle: "Aún no hay preguntas",
  emptyText:
    "Agregar preguntas reales con los documentos que las responden: aquí, desde una búsqueda en «Consulta» o desde una respuesta en un chat.",
  add: "Agregar una pregunta",
  import: "Importar",
  export: "Exportar",
  imported: (added, skipped) =>
    `${counted(added, "pregunta agregada", "preguntas agregadas")}, ${formatNumber(skipped)} ya estaban.`,
  check: "Comprobar ahora",
  checking: "Comprobando las preguntas",
  progress: (done, total) => `${formatNumber(done)} de ${counted(total, "pregunta", "preguntas")}`,
  cancel: "Cancelar",
  cancelled: "La comprobación se canceló. No se guardó nada de ella.",
  checked: (regressions) =>
    regressions === 0
      ? "Se comprobaron todas las preguntas."
      : `${counted(regressions, "pregunta empeoró", "preguntas empeoraron")}.`,

  afterIndexing: "Comprobar las preguntas después de cada indexación",
  afterIndexingHelp:
    "Cuando cambian los documentos, se hacen todas las preguntas al terminar la indexación. Si baja el recall, se indica aquí, en el registro y en las métricas.",
  checkWaiting: "Hay documentos cambiados. Las preguntas se comprobarán cuando termine la indexación.",
  checkFailed: "La última comprobación después de indexar ha fallado",
  results: "Última comprobación",
  causedByIndexing: "después de indexar",
  dropTitle: (drop) => `Recall@5 ha bajado ${withDecimals(drop, 3)}`,
  dropText:
    "Entre los cinco primeros hay menos documentos esperados que en la comprobación anterior. Las preguntas que han empeorado aparecen primero en la lista.",
  recall1Help: "Parte de los documentos esperados que quedó en primer lugar",
  recall5Help: "Parte de los documentos esperados entre los cinco primeros",
  mrrHelp: "Media de 1 / puesto del primer documento correcto",
  change: (difference) => `${difference > 0 ? "+" : "−"}${withDecimals(Math.abs(difference), 3)}`,
  unchanged: "sin cambios",
  settings: (model, mode, splitters, reranker) => `${model} · ${mode} · ${splitters} · ${reranker}`,
  noReranker: "sin reordenar",
  took: (questions, ms) => `${counted(questions, "pregunta", "preguntas")} en ${formatNumber(ms)} ms`,
  chart: "Evolución",
  chartSummary: (checks, first, last) =>
    `Recall y MRR de ${counted(checks, "comprobación", "comprobaciones")}; MRR de ${first} a ${last}`,

  list: "Lista de preguntas",
  search: "Buscar preguntas",
  question: "Pregunta",
  expected: "Esperado",
  mustContain: (words) => `con «${words}»`,
  place: "Puesto",
  notFound: "No encontrado",
  notChecked: "Aún sin comprobar",
  was: (place) => `antes ${place}`,
  wasNotFound: "antes no se encontró",
  worse: "Peor",
  better: "Mejor",
  found: "Pasajes encontrados",
  nothingFound: "No se encontró nada.",
  right: "Correcto",
  deleteTitle: "¿Eliminar esta pregunta?",
  deleteText: (question) => `Elimina «${question}» del conjunto. Las comprobaciones anteriores conservan sus cifras.`,
  passageIsRight: "Este pasaje es correcto",
};
