import type { Areas } from "../areas.ts";
import { formatNumber } from "../index.ts";
import { counted } from "./plural.ts";

export const home: Areas["home"] = {
  title: "Início",
  summary: "O que os agentes fizeram e o que aguarda uma pessoa.",
  range: "Período",
  ranges: { "24h": "24 h", "7d": "7 d", "30d": "30 d" },
  runs: "Execuções",
  running: (count) => (count === 0 ? "Nenhuma em andamento" : `${formatNumber(count)} em andamento`),
  failures: "Falhas",
  failureRate: (percent) => `${percent} das execuções`,
  p95: "Duração p95",
  p95Note: "Do início ao fim",
  tokens: "Tokens",
  cost: "Custo",
  unknown: "–",
  unpriced: (count) => `${counted(count, "execução", "execuções")} sem preço conhecido`,
  waiting: "Aguardando uma pessoa",
  openInbox: "Abrir a caixa de entrada",
  nothingWaits: "Nada pendente",
  volume: "Execuções ao longo do tempo",
  agents: "Agentes mais ativos",
  agent: "Agente",
  deletedAgent: "Agente excluído",
  noRuns: "Nenhuma execução neste período.",
  latestFailures: "Últimas falhas",
  noFailures: "Nenhuma execução falhou neste período.",
  noQuestion: "Sem pergunta",
};
