import type { Areas } from "../areas.ts";
import { formatList } from "../index.ts";

export const transfer: Areas["transfer"] = {
  title: "Exportar e importar",
  text: "Transfere agentes, ferramentas, variáveis, assistentes e bases de documentos entre instalações em um único arquivo. Valores de credenciais, chaves de API, documentos, chats e execuções ficam aqui.",
  withVersions: "Incluir versões anteriores dos agentes",
  download: "Baixar exportação",
  fileName: (isoDay) => `weft-export-${isoDay}.json`,
  choose: "Escolher arquivo de exportação",
  notJson: (name) => `${name} não é um JSON válido. Escolha um arquivo baixado como exportação.`,
  checking: "Verificando o arquivo…",
  preview: (name) => `O que a importação de ${name} faria. Nada foi alterado ainda.`,
  nothingToDo: (name) => `A importação de ${name} não mudaria nada aqui.`,
  imported: (name) => `${name} foi importado.`,
  report: "Itens por tipo",
  mode: "Quando um item for diferente do que há aqui",
  modes: { skip: "Manter o que há aqui", overwrite: "Substituir pelo do arquivo" },
  kind: "Tipo",
  kinds: {
    agents: "Agentes",
    assistants: "Assistentes",
    tools: "Ferramentas",
    variables: "Variáveis",
    documentStores: "Bases de documentos",
  },
  outcomes: { added: "Adicionado", unchanged: "Sem alteração", overwritten: "Substituído", skipped: "Mantido" },
  named: (outcome, names) => `${outcome}: ${formatList(names)}`,
  next: "Próximos passos",
  submit: "Importar",
  cancel: "Cancelar",
  done: "Concluir",
};
