import type { Areas } from "../areas.ts";
import { formatNumber } from "../index.ts";
import { counted } from "./plural.ts";

export const home: Areas["home"] = {
  title: "Inicio",
  summary: "Lo que han hecho los agentes y lo que espera a una persona.",
  range: "Periodo",
  ranges: { "24h": "24 h", "7d": "7 d", "30d": "30 d" },
  runs: "Ejecuciones",
  running: (count) => (count === 0 ? "Ninguna en curso" : `${formatNumber(count)} en curso`),
  failures: "Errores",
  failureRate: (percent) => `${percent} de las ejecuciones`,
  p95: "Duración p95",
  p95Note: "De principio a fin",
  tokens: "Tokens",
  cost: "Costo",
  unknown: "–",
  unpriced: (count) => `${counted(count, "ejecución", "ejecuciones")} sin precio conocido`,
  waiting: "A la espera de una persona",
  openInbox: "Abrir la bandeja de entrada",
  nothingWaits: "Nada pendiente",
  volume: "Ejecuciones a lo largo del tiempo",
  agents: "Agentes más activos",
  agent: "Agente",
  deletedAgent: "Agente eliminado",
  noRuns: "Sin ejecuciones en este periodo.",
  latestFailures: "Últimos errores",
  noFailures: "Ninguna ejecución falló en este periodo.",
  noQuestion: "Sin pregunta",
};
