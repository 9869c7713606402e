import type { Areas } from "../areas.ts";
import { formatList, formatNumber } from "../index.ts";

export const share: Areas["share"] = {
  open: "Compartir",
  title: (agent) => `Compartir ${agent}`,
  close: "Cerrar",
  publish: "Hacer público",
  publishText:
    "Ahora solo pueden usar este agente las personas que pueden iniciar sesión aquí y los programas con una clave de API. Si se hace público, cualquiera que tenga el enlace podrá chatear con el flujo publicado, a cargo del presupuesto del modelo. Los mensajes se pueden limitar en Acceso y límites.",
  budget: (runs, dollars, all) =>
    `Un visitante puede enviar ${formatNumber(runs)} mensajes al día y costar ${dollars}; todos juntos, ${all}. Quien administra este servidor puede permitir menos.`,
  changeBudget: "Cambiar los límites",
  isPublic: "Este agente es público: cualquiera que tenga el enlace puede chatear con él.",
  closed:
    "Los visitantes siguen bloqueados porque este servidor no permite agentes públicos. Pedir a quien lo administra que lo arranque con ALLOW_PUBLIC_FLOWS=true.",
  needsKey:
    "Los visitantes siguen bloqueados porque este agente tiene una clave de API exclusiva. Quitar la clave en Acceso y límites.",
  tabs: { link: "Enlace", embed: "Sitio web", api: "API", openai: "OpenAI", mcp: "MCP" },
  texts: {
    link: "Una página solo con este agente. Enviar el enlace o dar a escanear el código.",
    embed: "Pegar esto en una página del sitio web. Muestra un botón que abre el chat.",
    api: "Envía un mensaje por HTTP. Poner una clave de API en lugar de YOUR_API_KEY.",
    openai: "Para programas que usan la API de OpenAI: configurar esta URL base y el ID del agente como modelo.",
    mcp: "Para clientes MCP: el agente como servidor con una herramienta.",
  },
  addressLabels: { link: "Página de chat", openai: "URL base", model: "Modelo", mcp: "Dirección del servidor" },
  snippet: { embed: "Código para insertar", api: "Solicitud de ejemplo" },
  qr: "Código QR de la página de chat",
  tryIt: "Probar",
  tryTexts: {
    link: "Solicita la página como visitante, sin la sesión iniciada.",
    embed: "Carga el script y los ajustes de chat del agente como visitante, sin la sesión iniciada.",
    api: "Envía “Hello!” con la sesión iniciada y muestra la respuesta.",
    openai: "Envía “Hello!” con la sesión iniciada y muestra la respuesta.",
    mcp: "Muestra las herramientas del servidor con la sesión iniciada.",
  },
  works: "Funciona.",
  pageWorks: "La página se abre para los visitantes.",
  embedWorks: "El chat se abre para los visitantes.",
  tools: (names) => `Herramientas: ${formatList(names)}`,
  noTools: "El servidor respondió sin ninguna herramienta.",
  answered: (text) => `El agente respondió: ${text}`,
  noAnswer: "El agente respondió sin texto.",
  refused: (status) => `Los visitantes no tienen acceso. El servidor respondió con el estado ${status}.`,
};
