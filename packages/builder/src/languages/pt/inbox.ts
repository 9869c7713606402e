import type { Areas } from "../areas.ts";
import { formatNumber } from "../index.ts";

export const inbox: Areas["inbox"] = {
  title: "Caixa de entrada",
  summary: "Execuções que aguardam uma pessoa. Elas continuam com a resposta.",
  list: "Perguntas",
  emptyTitle: "Nada aguarda resposta",
  emptyText: "Quando um agente pede aprovação ou dados, a pergunta aparece aqui e pode ser respondida na hora.",
  exampleAgent: "Reembolsos",
  exampleQuestion: "Reembolsar US$ 40 do pedido 17?",
  exampleYes: "Aprovar",
  exampleNo: "Rejeitar",
  stale: "A lista pode estar desatualizada",
  agentGone: "Agente excluído",
  startedBy: {
    account: "Chat de uma conta",
    "api-key": "Chat com uma chave de API",
    schedule: "Início agendado",
    visitor: "Chat de um visitante",
  },
  session: (id) => `Sessão ${id}`,
  asked: (moment) => `Perguntou ${moment}`,
  began: "Começou com",
  viewRun: "Ver execução",
  viewRunOf: (agent) => `Ver execução de ${agent}`,
  failed: "A resposta não foi enviada",
  outcomes: {
    answered: (label) => `Respondida: ${label}. A execução continua.`,
    late: "Outra pessoa respondeu antes ou a execução terminou. A sua resposta não foi usada.",
    gone: "Outra pessoa respondeu a esta pergunta ou a execução terminou.",
  },
  range: (from, to, total) => `${formatNumber(from)}–${formatNumber(to)} de ${formatNumber(total)}`,
  pages: "Páginas de perguntas",
  previousPage: "Página anterior",
  nextPage: "Próxima página",
};
