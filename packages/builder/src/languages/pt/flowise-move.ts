import type { Areas } from "../areas.ts";
import { formatList, formatNumber } from "../index.ts";
import { plural } from "./plural.ts";

export const flowiseMove: Areas["flowiseMove"] = {
  title: "Mudar do Flowise",
  summary:
    "Traz agentes, credenciais, chaves de API, bases de documentos, chats e mais de um banco de dados do Flowise, com os mesmos IDs. Uma simulação mostra o que aconteceria antes que algo seja gravado.",
  back: "Configurações",
  forbiddenTitle: "Sem permissão para importar",
  forbiddenText: "Importar uma instalação exige a permissão installation:import. Peça-a a quem administra o servidor.",

  file: "Arquivo",
  fileText:
    "Pare o Flowise e escolha o database.sqlite dele, que está em DATABASE_PATH ou em ~/.flowise. Sem acesso àquele servidor, escolha o ExportData.json que a exportação do Flowise cria; ele não contém credenciais, chaves de API, leads nem valores de variáveis.",
  commandText:
    "Bancos PostgreSQL, MySQL e MariaDB, arquivos com mais de 2 GiB e os arquivos da pasta de armazenamento só podem ser importados no servidor:",
  choose: "Escolher arquivo",
  chooseAgain: "Escolher arquivo e continuar",
  emptyFile: (name) => `${name} está vazio. Escolha database.sqlite ou ExportData.json.`,
  tooLarge: (name) =>
    `${name} tem mais de 2 GiB, o máximo que pode ser enviado. Execute npm run import-flowise no servidor.`,
  uploading: (name) => `Enviando ${name}`,
  uploaded: (sent, size) => `${sent} de ${size} enviados`,
  uploadGoesOn: "Enquanto isso, você pode usar outras páginas; mantenha esta janela aberta.",
  lost: "A conexão caiu. O envio continua assim que o servidor puder ser acessado.",
  stopUpload: "Parar envio",
  incomplete: (name, received, size) =>
    `${received} de ${size} de ${name} foram enviados. Escolha o mesmo arquivo para continuar, ou outro para recomeçar.`,
  complete: (name, size) => `${name} (${size}) foi enviado.`,
  remove: "Remover arquivo enviado",

  choices: "Opções",
  key: "Chave de criptografia",
  keyText:
    "O texto de encryption.key, que está em SECRETKEY_PATH ou em ~/.flowise, ou o valor de FLOWISE_SECRETKEY_OVERWRITE. Sem ela, as credenciais são importadas sem seus valores.",
  noKeyNeeded: "ExportData.json não contém credenciais, então nenhuma chave é necessária.",
  keyGiven: "O servidor tem a chave. Ela fica somente na memória, até o fim da importação.",
  changeKey: "Trocar chave",
  readKey: "Ler de um arquivo",
  notAKey: (name) => `${name} é grande demais para ser uma chave. Escolha encryption.key.`,
  workspace: "Espaço de trabalho",
  allWorkspaces: "Todos os espaços de trabalho",
  openFlows: "Agentes sem chave de API",
  openFlowsText: "No Flowise, eles respondem a qualquer pessoa. Escolha o que será deles aqui.",
  openFlowsChoices: {
    closed: "Exigir uma chave de API",
    public: "Responder a qualquer pessoa, se o servidor rodar com ALLOW_PUBLIC_FLOWS=true",
  },
  destinations: "Permitir que as credenciais vão para onde os fluxos as enviam",
  destinationsText:
    "A simulação lista esses endereços em cada agente. Sem isso, os agentes só os chamam depois que cada um for permitido.",
  startDryRun: "Iniciar simulação",
  repeatDryRun: "Repetir simulação",
  changed: "As opções mudaram desde a última simulação. Repita-a antes de importar.",

  dryRun: "Simulação",
  import: "Importação",
  submit: "Importar",
  opening: "Abrindo o arquivo…",
  reading: (kind, done, total) => `${kind}: ${formatNumber(done)} de ${formatNumber(total)} lidos`,
  goesOn: "O servidor continua se você fechar esta página. Volte para ver o relatório.",
  outOfReach: "O servidor não pode ser acessado no momento. O que ele fazia continua lá, se ele ainda estiver rodando.",
  stop: "Parar",
  stopTitle: "Parar e remover o arquivo?",
  stopDryRunText: "Nada foi gravado. O arquivo enviado e a chave são removidos do servidor.",
  stopImportText:
    "O que já foi importado permanece. O arquivo enviado e a chave são removidos do servidor; para adicionar o resto, envie o arquivo e importe de novo.",
  dryRunFailed: "A simulação falhou",
  importFailed: "A importação falhou",

  wouldAdd: (rows) =>
    `Uma importação adicionaria ${formatNumber(rows)} ${plural(rows, "item", "itens")}. Nada foi gravado ainda.`,
  nothingToAdd: "Tudo neste arquivo já está aqui. Uma importação não gravaria nada.",
  added: (rows) => `${formatNumber(rows)} ${plural(rows, "item foi importado", "itens foram importados")}.`,
  nothingAdded: "Tudo neste arquivo já estava aqui. Nada foi gravado.",
  removed:
    "O arquivo enviado e a chave foram removidos do servidor. Este relatório fica até o servidor ser reiniciado.",
  downloadReport: "Baixar relatório",
  close: "Fechar relatório",

  counts: "Itens por tipo",
  kind: "Tipo",
  columns: { read: "Lidos", written: "Novos", there: "Já estão aqui", left: "Deixados de fora" },
  kinds: {
    credential: "Credenciais",
    variable: "Variáveis",
    tool: "Ferramentas",
    custom_mcp_server: "Servidores MCP",
    apikey: "Chaves de API",
    document_store: "Bases de documentos",
    "document_store.loaders": "Carregadores",
    document_store_file_chunk: "Fragmentos",
    chat_flow: "Agentes",
    assistant: "Assistentes",
    schedule_record: "Agendamentos",
    chat_message: "Mensagens de chat",
    "files of chats": "Arquivos de chats",
    chat_message_feedback: "Avaliações",
    lead: "Leads",
    upsert_history: "Histórico de indexação",
    execution: "Execuções",
  },
  left: "Deixados de fora, e por quê",

  todo: "O que fazer",
  environment:
    "Defina isto no ambiente do servidor e reinicie-o. Se uma variável já estiver definida, complete a lista dela.",
  publicFlows: "Agentes públicos respondem a qualquer pessoa quando ALLOW_PUBLIC_FLOWS=true está definido.",
  runtimeVariables: (names) =>
    `Há fluxos que leem ${formatList(names)} do ambiente: defina cada uma lá e cite-a em RUNTIME_VARIABLES.`,
  privateHosts: (hosts) =>
    `Há fluxos que chamam ${formatList(hosts)} em uma rede privada. Deixe em EGRESS_ALLOW só o que eles devem alcançar.`,
  schedules: (names) =>
    `Os agendamentos chegam desativados. Quando o Flowise estiver parado, ative-os aqui: ${formatList(names)}.`,
  embedding: (stores) =>
    `Os trechos de ${formatList(stores)} estão sendo vetorizados de novo. As bases de documentos mostram o progresso.`,
  openStores: "Abrir bases de documentos",

  agents: "Agentes",
  agentCounts: (clear, withFindings) =>
    `${formatNumber(clear)} sem observações, ${formatNumber(withFindings)} com observações`,
  access: {
    key: "Exige sua chave de API, como no Flowise",
    public: "Aberto a qualquer pessoa, como no Flowise",
    closed: "Exige uma chave de API; no Flowise, respondia a qualquer pessoa",
  },
  notMoved: (counts) => `Não trazidos, porque não têm equivalente aqui: ${counts.join(", ")}.`,
};
