import type { Areas } from "../areas.ts";
import { formatList } from "../index.ts";
import { counted } from "./plural.ts";

export const settings: Areas["settings"] = {
  title: "Configurações",
  account: "Conta",
  name: "Nome",
  email: "E-mail",
  unnamed: "Sem nome",
  operator:
    "Acesso com um token de linha de comando. Ele não está vinculado a uma conta, por isso não há senha para alterar.",
  password: "Senha",
  passwordText: "A alteração encerra a sessão em todos os outros dispositivos.",
  currentPassword: "Senha atual",
  newPassword: "Nova senha",
  newPasswordHint: "Pelo menos 8 caracteres.",
  changePassword: "Alterar senha",
  passwordChanged: "A senha foi alterada. A sessão foi encerrada em todos os outros dispositivos.",
  everywhere: "Sair de todos os dispositivos",
  everywhereText:
    "Perdeu um dispositivo ou deixou uma sessão aberta? Informe a senha para encerrar todas as sessões da conta, inclusive esta. As chaves de API não são afetadas.",
  everywhereSubmit: "Sair de todos os dispositivos",
  appearance: "Aparência",
  colours: "Cores",
  schemes: { auto: "Sistema", light: "Claro", dark: "Escuro" },
  language: "Idioma",
  languageHelp: "Os nomes das etapas e as mensagens de erro do servidor continuam em inglês.",
  browserLanguage: (name) => `O do navegador (${name})`,
  flowise: "Mudar do Flowise",
  flowiseText:
    "Traz uma instalação inteira do Flowise a partir do banco de dados: agentes, credenciais, chaves de API, bases de documentos e chats, com os mesmos IDs.",
  flowiseOpen: "Começar a mudança",
  about: "Sobre",
  version: "Versão do servidor",
  documentation: "Documentação da API",
};

export const variables: Areas["variables"] = {
  title: "Variáveis",
  summary: "Valores que qualquer fluxo pode ler: {{ $vars.name }} em texto, $vars.name em código.",
  create: "Nova variável",
  createTitle: "Nova variável",
  editTitle: "Editar variável",
  search: "Buscar variáveis",
  emptyTitle: "Ainda não há variáveis",
  emptyText:
    "Guarde valores que vários fluxos compartilham, como um endereço, uma cidade ou um limite. Altere um aqui, e todos os fluxos usam o novo valor.",
  nameHint: "Use letras, dígitos e sublinhados para que o código possa lê-la como $vars.name.",
  types: {
    string: "Texto",
    number: "Número",
    boolean: "Sim ou não",
    json: "JSON",
    runtime: "Do ambiente do servidor",
    static: "Texto (estático)",
  },
  runtimeHint:
    "Lido da variável de ambiente com este nome quando um fluxo é executado. Os nomes permitidos são definidos em RUNTIME_VARIABLES.",
  runtimeValue: "Lido quando um fluxo é executado",
  yes: "true",
  no: "false",
  noValue: "Vazio",
  saved: (name) => `“${name}” foi salva.`,
  deleted: (name) => `“${name}” foi excluída.`,
  deleteTitle: "Excluir esta variável?",
  deleteText: (name) => `Os fluxos que leem $vars.${name} ficarão sem valor. Esta ação não pode ser desfeita.`,
};

export const credentials: Areas["credentials"] = {
  title: "Credenciais",
  summary: "Chaves e senhas de modelos e integrações. Armazenadas criptografadas e nunca mais exibidas.",
  create: "Nova credencial",
  createTitle: "Nova credencial",
  editTitle: "Editar credencial",
  emptyTitle: "Ainda não há credenciais",
  emptyText:
    "Adicione a chave de um provedor de modelos ou de um serviço que os fluxos chamam. Os fluxos se referem a ela pelo nome e nunca veem o valor.",
  modelGroup: "Modelos",
  otherGroup: "Serviços que os fluxos chamam",
  earlierGroup: "Nomes usados por clientes existentes",
  keepsValue: "Deixe vazio para manter o valor armazenado",
  isSet: "Há um valor armazenado",
  optional: (title) => `${title} (opcional)`,
  values: "Valores",
  remove: "Remover o valor armazenado",
  unreadable: "Ilegível",
  unreadableText:
    "Não é possível descriptografar os valores armazenados porque a chave de criptografia do servidor mudou. Informe-os novamente e salve.",
  unknownType: "Este servidor não aceita este tipo de credencial. É possível renomeá-la; os valores são mantidos.",
  hosts: "Hosts",
  hostsHelp: (implied) =>
    `A credencial só é enviada a estes hosts${implied.length === 0 ? "" : ` e a ${formatList(implied)}`}. Ao salvar um agente, os hosts indicados nas etapas dele são adicionados. Por exemplo, api.example.com, api.example.com:8443 ou *.example.com.`,
  bind: (host) => `Permitir esta credencial para ${host}`,
  bound: (name, host) => `“${name}” já pode ser enviada a ${host}.`,
  saved: (name) => `“${name}” foi salva.`,
  deleted: (name) => `“${name}” foi excluída.`,
  deleteTitle: "Excluir esta credencial?",
  deleteText: (name) =>
    `Os fluxos e modelos que usam “${name}” falharão até que outra credencial seja escolhida. Esta ação não pode ser desfeita.`,
};

export const models: Areas["models"] = {
  title: "Modelos",
  summary: "Modelos que os agentes usam. Um fluxo pode indicar o próprio modelo; caso contrário, usa o padrão.",
  provider: "Provedor",
  model: "Modelo",
  modelHint: "Escolha um ou informe o nome de qualquer modelo do provedor. Deixe vazio para usar o padrão do provedor.",
  optional: (title) => `${title} (opcional)`,
  keyStays: "A chave é armazenada criptografada neste servidor e nunca mais exibida.",
  refused: "O modelo não respondeu",
  connect: "Conectar um modelo",
  connectSubmit: "Testar e usar",
  credential: "Credencial",
  serverKey: "Configuração do servidor",
  deletedCredential: "Credencial excluída",

  defaultTitle: "Modelo padrão",
  providerDefault: "o padrão do provedor",
  chosenHere: "Escolhido aqui. Prevalece sobre o ambiente do servidor.",
  fromConfiguration: "Definido pelo ambiente do servidor. Conecte um modelo aqui para usá-lo no lugar.",
  rehearsal:
    "Nenhum modelo real está conectado. Os fluxos usam o modelo de ensaio: ele segue regras fixas, não é uma IA e diz isso em cada resposta.",
  reset: "Usar a configuração do servidor",
  wasReset: "O modelo padrão agora vem da configuração do servidor.",
  wasChosen: (title) => `${title} agora é o modelo padrão.`,
  change: "Trocar",
  changeTitle: "Escolher o modelo padrão",
  test: "Testar conexão",
  testing: "Testando…",
  answered: (model, durationMs) => `${model} respondeu em ${durationMs} ms`,

  providersTitle: "Provedores",
  isDefault: "Padrão",
  images: "Aceita imagens",
  credentialCount: (count) => counted(count, "credencial", "credenciais"),
  noCredential: "Ainda sem credencial",
  builtIn: "Integrado",
  addCredential: "Adicionar credencial",
};
