import type { Areas } from "../areas.ts";
import { formatNumber } from "../index.ts";
import { counted } from "./plural.ts";

export const common: Areas["common"] = {
  uses: {
    title: "Usado por",
    none: "Nada o usa.",
    step: (name, step) => `${name}: etapa “${step}”`,
    draft: (name) => `${name} (rascunho)`,
    defaultModel: "O modelo padrão",
    more: (count) => `e mais ${counted(count, "lugar", "lugares")}`,
  },
  cancel: "Cancelar",
  save: "Salvar",
  saved: "Salvo",
  reload: "Recarregar",
  create: "Criar",
  delete: "Excluir",
  edit: "Editar",
  close: "Fechar",
  done: "Concluir",
  copy: "Copiar",
  copied: "Copiado",
  copyCode: "Copiar código",
  duplicate: "Duplicar",
  name: "Nome",
  type: "Tipo",
  value: "Valor",
  updated: "Atualização",
  created: "Criação",
  actionsOf: (name) => `Ações de ${name}`,
  actions: "Ações",
  labelled: (label, value) => `${label}: ${value}`,
  optional: "Opcional",
  showPassword: "Mostrar ou ocultar a senha",
  nothingFound: (text) => `Nenhum resultado para “${text}”.`,
  clearSearch: "Limpar busca",
  loading: "Carregando",
  leaveTitle: "Sair sem salvar?",
  leave: "Sair",
  stay: "Ficar",
  justNow: "agora mesmo",
  units: { ms: "ms", s: "s", min: "min", h: "h", d: "d" },
};

export const error: Areas["error"] = {
  conflict:
    "Outra pessoa alterou isto nesse meio-tempo, e a sua alteração não foi salva. Carregue a versão atual e refaça a alteração.",
  title: "Algo deu errado",
  unreachable:
    "Não foi possível acessar o servidor. Verifique se ele está em execução e se há conexão e tente novamente.",
  unknown: "Ocorreu um erro inesperado nesta página. Recarregue-a e informe o erro se ele se repetir.",
  status: (status) => `O servidor respondeu com o status ${status}. Verifique a causa no log dele.`,
  retry: "Tentar novamente",
  reload: "Recarregar a página",
  requestId: (id) => `Requisição ${id}`,
  pageTitle: "Não foi possível exibir esta página",
  newVersion: "O Weft foi atualizado no servidor. Recarregue para usar a nova versão.",
  notFoundTitle: "Página não encontrada",
  notFoundText: "Verifique o endereço. O conteúdo pode ter sido excluído.",
  toAgents: "Ir para os agentes",
};

export const shell: Areas["shell"] = {
  product: "Weft",
  navigation: "Principal",
  skipToContent: "Ir para o conteúdo",
  home: "Início",
  agents: "Agentes",
  assistants: "Assistentes",
  executions: "Execuções",
  inbox: "Caixa de entrada",
  inboxCount: (count) => `${counted(count, "execução aguarda", "execuções aguardam")} uma resposta`,
  inboxShortCount: (count) => (count > 99 ? "99+" : String(count)),
  documentStores: "Bases de documentos",
  tools: "Ferramentas",
  models: "Modelos",
  prices: "Preços",
  credentials: "Credenciais",
  variables: "Variáveis",
  apiKeys: "Chaves de API",
  system: "Sistema",
  settings: "Configurações",
  documentation: "Documentação da API",
  lightColours: "Tema claro",
  darkColours: "Tema escuro",
  signOut: "Sair",
  loading: "Carregando",
  commands: {
    title: "Ir para ou fazer",
    open: "Ir para",
    search: "Buscar uma página, um agente ou uma ação",
    here: "Nesta página",
    create: "Novo",
    newAgent: "Novo agente",
    newFromTemplate: "Novo agente a partir de um template",
    importAgent: "Importar um agente",
    moveFromFlowise: "Mudar do Flowise",
    pages: "Páginas",
    everywhere: "Em qualquer lugar",
    nothing: (text) => `Nada corresponde a “${text}”.`,
  },
};

export const volume: Areas["volume"] = {
  volumeSummary: (runs, failures) => `${counted(runs, "execução", "execuções")}, ${formatNumber(failures)} com falha`,
  part: (start, runs, failures) => `${start}: ${volume.volumeSummary(runs, failures)}`,
};

export const runState: Areas["runState"] = {
  INPROGRESS: "Em andamento",
  FINISHED: "Concluída",
  ERROR: "Com falha",
  TIMEOUT: "Tempo esgotado",
  TERMINATED: "Cancelada",
  STOPPED: "Aguardando",
};

export const json: Areas["json"] = {
  items: (count) => counted(count, "elemento", "elementos"),
  members: (count) => counted(count, "campo", "campos"),
  showAll: (count) => `Mostrar tudo (${formatNumber(count)})`,
  showMore: (count, rest) => `Mostrar mais ${formatNumber(count)} de ${formatNumber(rest)}`,
  showCharacters: (count) => `Mostrar tudo (${counted(count, "caractere", "caracteres")})`,
  copyValue: (name) => `Copiar o valor de ${name}`,
  copyPath: (name) => `Copiar o caminho de ${name}`,
};
