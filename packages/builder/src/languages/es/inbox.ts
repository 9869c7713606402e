import type { Areas } from "../areas.ts";
import { formatNumber } from "../index.ts";

export const inbox: Areas["inbox"] = {
  title: "Bandeja de entrada",
  summary: "Ejecuciones que esperan a una persona. Continúan con la respuesta.",
  list: "Preguntas",
  emptyTitle: "Nada espera respuesta",
  emptyText: "Cuando un agente pide aprobación o datos, su pregunta aparece aquí y se puede responder directamente.",
  exampleAgent: "Reembolsos",
  exampleQuestion: "¿Reembolsar 40 $ del pedido 17?",
  exampleYes: "Aprobar",
  exampleNo: "Rechazar",
  stale: "Es posible que la lista esté desactualizada",
  agentGone: "Agente eliminado",
  startedBy: {
    account: "Chat de una cuenta",
    "api-key": "Chat con una clave de API",
    schedule: "Inicio programado",
    visitor: "Chat de un visitante",
  },
  session: (id) => `Sesión ${id}`,
  asked: (moment) => `Preguntó ${moment}`,
  began: "Empezó con",
  viewRun: "Ver ejecución",
  viewRunOf: (agent) => `Ver ejecución de ${agent}`,
  failed: "No se envió la respuesta",
  outcomes: {
    answered: (label) => `Respondida: ${label}. La ejecución continúa.`,
    late: "Otra persona respondió antes o la ejecución terminó. La respuesta no se usó.",
    gone: "Otra persona respondió a esta pregunta o la ejecución terminó.",
  },
  range: (from, to, total) => `${formatNumber(from)}–${formatNumber(to)} de ${formatNumber(total)}`,
  pages: "Páginas de preguntas",
  previousPage: "Página anterior",
  nextPage: "Página siguiente",
};
