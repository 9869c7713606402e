import type { Areas } from "../areas.ts";
import { formatList, formatNumber } from "../index.ts";

export const share: Areas["share"] = {
  open: "Compartilhar",
  title: (agent) => `Compartilhar ${agent}`,
  close: "Fechar",
  publish: "Tornar público",
  publishText:
    "Por enquanto, só pessoas que podem entrar aqui e programas com uma chave de API podem usar este agente. Se ele for público, qualquer pessoa com o link poderá conversar com o fluxo publicado, à custa do orçamento do modelo. É possível limitar as mensagens em Acesso e limites.",
  budget: (runs, dollars, all) =>
    `Um visitante pode enviar ${formatNumber(runs)} mensagens por dia e custar ${dollars}; todos juntos, ${all}. Quem administra este servidor pode permitir menos.`,
  changeBudget: "Alterar os limites",
  isPublic: "Este agente é público: qualquer pessoa com o link pode conversar com ele.",
  closed:
    "Os visitantes continuam bloqueados porque este servidor não permite agentes públicos. Peça a quem o administra que o inicie com ALLOW_PUBLIC_FLOWS=true.",
  needsKey:
    "Os visitantes continuam bloqueados porque este agente tem uma chave de API exclusiva. Remova a chave em Acesso e limites.",
  tabs: { link: "Link", embed: "Site", api: "API", openai: "OpenAI", mcp: "MCP" },
  texts: {
    link: "Uma página só com este agente. Envie o link ou mostre o código para ser escaneado.",
    embed: "Cole isto em uma página do seu site. Exibe um botão que abre o chat.",
    api: "Envia uma mensagem por HTTP. Coloque uma chave de API no lugar de YOUR_API_KEY.",
    openai: "Para programas que usam a API da OpenAI: configure esta URL base e o ID do agente como modelo.",
    mcp: "Para clientes MCP: o agente como servidor com uma ferramenta.",
  },
  addressLabels: { link: "Página do chat", openai: "URL base", model: "Modelo", mcp: "Endereço do servidor" },
  snippet: { embed: "Código de incorporação", api: "Requisição de exemplo" },
  qr: "Código QR da página do chat",
  tryIt: "Testar",
  tryTexts: {
    link: "Acessa a página como visitante, sem a sua sessão.",
    embed: "Carrega o script e as configurações de chat do agente como visitante, sem a sua sessão.",
    api: "Envia “Hello!” com a sua sessão e mostra a resposta.",
    openai: "Envia “Hello!” com a sua sessão e mostra a resposta.",
    mcp: "Lista as ferramentas do servidor com a sua sessão.",
  },
  works: "Funciona.",
  pageWorks: "A página abre para visitantes.",
  embedWorks: "O chat abre para visitantes.",
  tools: (names) => `Ferramentas: ${formatList(names)}`,
  noTools: "O servidor respondeu sem nenhuma ferramenta.",
  answered: (text) => `O agente respondeu: ${text}`,
  noAnswer: "O agente respondeu sem texto.",
  refused: (status) => `Os visitantes não têm acesso. O servidor respondeu com o status ${status}.`,
};
