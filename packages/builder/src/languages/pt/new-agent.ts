import type { Areas } from "../areas.ts";
import { counted } from "./plural.ts";

export const newAgent: Areas["newAgent"] = {
  title: "Novo agente",
  summary: "Comece com um fluxo que funciona e mude o que quiser, ou traga o seu.",
  blank: "Em branco",
  blankText: "Um modelo que responde. Adicione as etapas manualmente.",
  import: "Importar",
  importText:
    "Um arquivo ou texto colado: Weft, AgentFlow V2, chatflows clássicos, fluxos multiagente, Microsoft Foundry, OpenAI Agent Builder.",
  templates: "Templates",
  search: "Buscar templates",
  category: "Categoria",
  all: "Todas",
  categories: {
    support: "Suporte",
    research: "Pesquisa",
    data: "Dados",
    content: "Conteúdo",
    operations: "Operações",
  },
  needs: "Requer",
  picture: (steps) => `Imagem de um fluxo com ${counted(steps, "etapa", "etapas")}`,
  count: (count) => counted(count, "template", "templates"),
  name: "Nome",
  blankName: "Agente sem título",
  model: "Modelo para todas as etapas",
  otherModel: "Trocar modelo",
  address: "URL base, sem o caminho",
  later: "Deixe vazio o que ainda não tiver. O editor avisa.",
  submit: "Criar e abrir",
};
