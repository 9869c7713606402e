import type { Areas } from "../areas.ts";
import { formatList } from "../index.ts";
import { counted, plural } from "./plural.ts";

export const imports: Areas["import"] = {
  title: "Importar um agente",
  back: "Agentes",
  files: "Arquivos",
  text: "Solte aqui os arquivos de um agente: um fluxo do Weft ou do AgentFlow V2, um chatflow clássico, um fluxo multiagente do Flowise, um fluxo de trabalho do Microsoft Foundry com seus agentes ou o código que o OpenAI Agent Builder exporta.",
  choose: "Escolher arquivos",
  add: "Adicionar arquivos",
  paste: "Ou cole o texto de um arquivo",
  remove: (name) => `Remover ${name}`,
  pasted: "Texto colado",
  tooLarge: (name) => `${name} tem mais de 4 MB, mais que qualquer fluxo. Escolha outro arquivo.`,
  name: "Nome",
  nameHelp: "Como o agente se chama.",
  fallbackName: "Fluxo importado",
  several: (count) => `O arquivo contém ${counted(count, "fluxo", "fluxos")}`,
  chooseFlow: "Escolha um",
  choices: "Associar",
  choicesText:
    "Os arquivos só trazem os nomes. Indique a que correspondem neste servidor, agora ou mais tarde no editor.",
  missingText:
    "O fluxo precisa destes itens, e este servidor não os tem como estão. Escolha agora ou mais tarde no editor.",
  kinds: {
    model: (name) => `Modelo no lugar de ${name}`,
    agent: (name) => `Agente ${name}`,
    "document-store": (name) => `Base de documentos no lugar de ${name}`,
    credential: (name) => `Credencial no lugar de ${name}`,
  },
  defaultModels: (count) => plural(count, "Usar o modelo padrão", "Usar o modelo padrão para todos"),
  secrets: "Segredos",
  secretsText:
    "Os arquivos contêm estes segredos. Eles são armazenados criptografados como credenciais e nunca fazem parte do fluxo. Substitua-os no fornecedor: quem teve os arquivos pode tê-los lido.",
  sentTo: (host) => `enviado apenas para ${host}`,
  findings: "O que saber",
  counts: ({ exact, approximate, refused }) =>
    `${formatList([
      counted(exact, "etapa convertida com exatidão", "etapas convertidas com exatidão"),
      ...(approximate > 0 ? [`${approximate} com uma observação`] : []),
      ...(refused > 0 ? [counted(refused, "requer atenção", "requerem atenção")] : []),
    ])}.`,
  submit: "Importar",
  unread: "Não foi possível ler estes arquivos",
  empty: "O fluxo aparece aqui antes que algo seja salvo.",
};
