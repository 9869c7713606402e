import type { Areas } from "../areas.ts";
import { formatNumber } from "../index.ts";

export const tools: Areas["tools"] = {
  title: "Ferramentas",
  summary:
    "Funções JavaScript que os agentes podem chamar. São executadas em uma sandbox e só acessam outros serviços por fetch.",
  create: "Nova ferramenta",
  search: "Buscar ferramentas",
  emptyTitle: "Ainda não há ferramentas",
  emptyText:
    "Uma ferramenta dá a um agente código próprio para executar: consultar sistemas, calcular um preço, pesquisar algo.",
  parameters: "Parâmetros",
  noParameters: "Nenhum",
  notReadable: "JSON Schema",
  deleteTitle: "Excluir esta ferramenta?",
  deleteText: (name) =>
    `Os agentes que usam “${name}” falharão quando forem executados. Esta ação não pode ser desfeita.`,
  deleted: (name) => `“${name}” foi excluída.`,
  saved: (name) => `“${name}” foi salva.`,
  copyOf: (name) => `${name}_copia`,

  newTitle: "Nova ferramenta",
  back: "Todas as ferramentas",
  name: "Nome",
  nameHelp: "O nome que o modelo usa. Use letras, dígitos e _.",
  namePlaceholder: "get_weather",
  description: "Descrição",
  descriptionHelp: "Diz ao modelo o que a ferramenta faz e quando chamá-la.",
  descriptionPlaceholder: "Retorna a previsão do tempo de hoje para uma cidade.",
  colour: "Cor",
  icon: "Ícone",
  iconUpload: "Enviar",
  iconRemove: "Remover",
  iconTooLarge: (limitKb) => `Uma imagem pode ter no máximo ${limitKb} kB.`,
  iconRemote: "Imagens de outros sites são mantidas, mas não exibidas aqui.",
  parametersHelp: "Preenchidos pelo modelo. O código lê cada um como $name.",
  code: "Código",
  codeHelp:
    "O corpo de uma função assíncrona; retorne o resultado. Texto é passado ao modelo sem alteração; o resto, como JSON.",
  codePlaceholder: 'const response = await fetch("https://example.com/" + $city);\nreturn await response.text();',
  known: "Disponível no código",
  knownNames: {
    vars: "as variáveis, por exemplo $vars.company",
    flow: "a execução: chatId, sessionId, input, state",
    fetch: "requisições HTTP, dentro das regras do servidor",
  },
  parameter: "parâmetro",
  test: "Testar",
  testHelp: "Chama a ferramenta de verdade, com o código deste formulário.",
  run: "Executar",
  stop: "Parar",
  saveFirst: "Salve a ferramenta para testá-la.",
  noInput: "Esta ferramenta não tem parâmetros.",
  result: "Resultado",
  failed: "O código falhou",
  logs: "Console",
  duration: (ms) => `${formatNumber(ms)} ms`,
  emptyResult: "Texto vazio",

  leave: "As alterações nesta ferramenta não foram salvas.",
  conflict:
    "Outra pessoa salvou esta ferramenta nesse meio-tempo. Recarregue para ver as alterações dela; as suas serão perdidas.",
};
