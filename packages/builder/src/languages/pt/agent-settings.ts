import type { Areas } from "../areas.ts";

export const agentSettings: Areas["agentSettings"] = {
  title: (agent) => `Acesso e limites: ${agent}`,
  loadingTitle: "Acesso e limites",
  leave: "As alterações nestas configurações não foram salvas.",
  conflict:
    "Outra pessoa salvou este agente nesse meio-tempo. Recarregue para ver as alterações dela; as suas serão perdidas.",

  access: "Quem pode usar",
  isPublic: "Público",
  isPublicHelp: "Visitantes podem conversar com ele sem chave, por exemplo em um widget de chat no seu site.",
  closed:
    "Os visitantes continuam bloqueados: este servidor não permite agentes públicos. Inicie-o com ALLOW_PUBLIC_FLOWS=true para liberar o acesso.",
  opened: "Os visitantes já podem conversar com ele.",
  deployed: "Ferramenta MCP",
  deployedHelp: "Lista o agente como ferramenta no endpoint MCP deste servidor.",
  key: "Chave de API exclusiva",
  keyHelp: "Se definida, as predições exigem esta chave, mesmo que o agente seja público.",
  anyKey: "Nenhuma: vale qualquer chave que possa enviar mensagens",
  missingKey: (id) => `Excluída (${id.slice(0, 8)})`,
  noMatch: "Nenhuma correspondência.",

  pages: "Sites",
  pagesText: "Limita os sites que podem incorporar um chat deste agente. Não afeta os clientes da API.",
  origins: "Origens permitidas",
  originsHelp:
    "Por exemplo, https://shop.example. Pressione Enter depois de cada uma. Deixe vazio para permitir todos os sites.",
  originsMessage: "Mensagem para outros sites",

  limits: "Limite de mensagens",
  limitsText: "Vale por visitante, para que nenhum esgote sozinho o orçamento do modelo.",
  isLimited: "Limitar mensagens",
  limitMax: "Mensagens",
  limitDuration: "Período (segundos)",
  limitMessage: "Mensagem ao atingir o limite",
  defaultLimitMessage: "Muitas mensagens. Tente novamente mais tarde.",

  budget: "Orçamento diário dos visitantes",
  budgetText:
    "O que visitantes sem chave nem conta podem consumir em um dia, que termina à meia-noite UTC. O custo conta quando o preço do modelo é conhecido. Quem administra este servidor pode permitir menos.",
  perVisitor: "Cada visitante",
  allVisitors: "Todos os visitantes juntos",
  budgetAmounts: { runs: "Mensagens por dia", dollars: "Dólares por dia" },

  retention: "Retenção",
  retentionText:
    "Por quantos dias este agente guarda o que visitantes sem chave nem conta deixam: uma conversa desde a última mensagem, com suas execuções, arquivos, avaliações e documentos, e um contato desde que foi deixado. Quem administra este servidor pode guardar menos.",
  retentionDays: { visitorDays: "Dias para conversas", leadDays: "Dias para contatos" },
  retentionUnset: "Como no servidor",

  overrides: "Alterações por mensagem",
  overridesText:
    "O que clientes da API e visitantes podem alterar em uma única mensagem. Quem entrou com uma conta pode alterar tudo, exceto credenciais e endereços.",
  overridesOn: "Permitir alterar configurações por mensagem",
  overridesOnHelp: "Somente as configurações escolhidas aqui. As demais são ignoradas com um aviso.",
  overrideVariables: "Variáveis",
  overrideVariablesHelp:
    "Se uma variável fizer parte de um endereço, quem chama poderá escolher o destino das requisições. Pressione Enter depois de cada nome.",
  overrideNode: (label) => `Configurações de ${label}`,
  overrideHistory: "Permitir que visitantes enviem o histórico do chat",
  overrideHistoryHelp:
    "Os visitantes poderão falsificar respostas anteriores do agente. Os clientes da API sempre podem enviá-lo.",

  writes: "Ações para visitantes",
  writesText:
    "Vale para visitantes sem chave nem conta, cujas mensagens podem enganar o agente. Com “Perguntar a uma pessoa”, alguém com uma conta decide em Execuções.",
  effects: { write: "Alterar dados", destructive: "Excluir dados" },
  rulings: { allow: "Permitir", ask: "Perguntar a uma pessoa", refuse: "Negar" },

  chat: "Recursos do chat",
  chatText: "Valem para o chat do Weft e para os clientes de chat em sites.",
  prompts: "Mensagens sugeridas",
  promptsHelp: "Exibidas antes da primeira mensagem. Pressione Enter depois de cada uma.",
  feedback: "Pedir feedback",
  feedbackHelp: "Polegar para cima ou para baixo em cada resposta.",
  followUps: "Sugerir mensagens após uma resposta",
  followUpsHelp: "O modelo do agente é consultado mais uma vez após cada resposta, o que consome tokens.",
  files: "Permitir que visitantes anexem arquivos",
  filesHelp: "O texto deles é adicionado à pergunta.",
  fileTypes: "Tipos de arquivo",
  fileTypesHelp: "Deixe vazio para permitir todos os tipos aceitos.",
  leads: "Pedir dados de contato",
  leadsHelp: "Exibe um formulário antes da primeira mensagem. Os dados aparecem em Mensagens e leads.",
  leadsTitle: "Título do formulário",
  leadsSuccess: "Mensagem de confirmação",
  leadsFields: "Campos do formulário",
  leadFields: { name: "Nome", email: "E-mail", phone: "Telefone" },

  speech: {
    title: "Voz",
    text: "Os visitantes gravam uma mensagem no chat hospedado ou no widget de chat. O que eles dizem vira a pergunta.",
    isOn: "Permitir que visitantes gravem mensagens",
    isOnHelp: "As gravações são enviadas ao serviço escolhido.",
    service: "Serviço",
    address: "Endereço",
    addressHelp: "Qualquer servidor com a API de transcrição da OpenAI.",
    badAddress: (example) => `Informe um endereço como ${example}. Até lá, os visitantes não podem gravar mensagens.`,
    credential: "Credencial",
    serverKeyHelp: "Deixe vazio para usar a chave deste servidor.",
    noKeyHelp: "Deixe vazio se o serviço não exigir uma chave.",
    needsCredential: (service) =>
      `${service} precisa de uma credencial. Escolha uma ou crie-a aqui. Até lá, as gravações falham.`,
    deletedCredential: "Esta credencial foi excluída, por isso as gravações falham. Escolha outra.",
    model: "Modelo",
    language: "Idioma",
    languageHelp: "O idioma que os visitantes falam. Deixe vazio para detectá-lo.",
    prompt: "Palavras esperadas",
    promptHelp: "Nomes e termos que os visitantes provavelmente dirão, para que sejam escritos corretamente.",
    temperature: "Temperatura",
    temperatureHelp:
      "De 0 a 1. Valores mais altos adivinham com mais liberdade. Deixe vazio para usar o padrão do serviço.",
    readsAloud: "Ler as respostas em voz alta",
    readsAloudHelp:
      "Os chats mostram um botão abaixo de cada resposta; os programas usam a API. Os textos são enviados ao serviço escolhido.",
    voiceService: "Serviço de leitura",
    voiceCredential: "Credencial de leitura",
    voice: "Voz",
    voiceModel: "Modelo de leitura",
    voiceHelp: "Deixe em branco para usar o padrão do serviço.",
    voicesUnknown: "Não foi possível carregar as vozes. Verifique a credencial ou digite o ID de uma voz.",
    autoPlay: "Ler automaticamente",
    autoPlayHelp:
      "Os chats leem cada resposta assim que ela fica completa. Cada resposta transmitida é enviada ao serviço, mesmo que ninguém a ouça.",
    unsupported: (service) =>
      `A voz usa ${service}, que este servidor não oferece, por isso os visitantes não podem gravar mensagens. Escolha outro serviço.`,
  },
};
