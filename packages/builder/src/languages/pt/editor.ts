import type { Areas } from "../areas.ts";
import { counted } from "./plural.ts";

const problemsOf = (count: number) => counted(count, "problema", "problemas");
const warningsOf = (count: number) => counted(count, "aviso", "avisos");

export const editor: Areas["canvas"]["editor"] = {
  opening: "Abrindo o agente",
  notOpened: "Não foi possível abrir o agente",
  notSaved: "Não salvo",
  back: "Todos os agentes",
  name: "Nome do agente",
  draft: {
    saved: "Rascunho salvo",
    waiting: "Editando o rascunho",
    saving: "Salvando o rascunho…",
    changed: "Outra pessoa alterou este fluxo depois que foi aberto aqui. A sua versão só é salva após uma escolha.",
    failed: (problem) => `Rascunho não salvo: ${problem}`,
    loadTheirs: "Carregar a outra",
    keepMine: "Manter a minha",
  },
  published: "Publicado",
  publishedWith: (problems, warnings) => `Publicado · ${problems > 0 ? problemsOf(problems) : warningsOf(warnings)}`,
  publish: "Publicar",
  undo: "Desfazer",
  redo: "Refazer",
  chat: "Chat",
  code: {
    title: "Fluxo como código",
    close: "Fechar o código",
    valid: "O fluxo é válido. O canvas o mostra.",
    notJson: (problem) => `Ainda não é JSON: ${problem}. O canvas mostra o último fluxo válido.`,
    notFlow: (path, problem) =>
      `Ainda não é um fluxo${path === "" ? "" : `, em ${path}`}: ${problem}. O canvas mostra o último fluxo válido.`,
  },
  panel: {
    step: "Etapa",
    chat: "Chat",
    code: "Código",
    choose: "Painel lateral",
    resize: "Largura do painel lateral",
  },
  foreign: {
    shown: (dialect) =>
      `Este agente está salvo em outro formato de fluxo (${dialect}). O canvas mostra como ele é executado.`,
    nothing: "O canvas está vazio.",
    untouched: "O fluxo salvo permanece inalterado até ser publicado.",
    rewritten: "Ao publicar, ele é convertido para o formato nativo, e o original é mantido como versão anterior.",
  },
  actions: {
    add: "Adicionar uma etapa",
    chat: "Abrir ou fechar o chat",
    code: "Editar o fluxo como código",
    tidyUp: "Organizar o canvas",
    fit: "Ajustar o fluxo à janela",
    versions: "Mostrar versões",
    help: "Mostrar os atalhos de teclado",
  },
  menu: {
    label: "Mais ações",
    versions: "Versões",
    code: "Editar como código",
    discard: "Descartar o rascunho",
    duplicate: "Duplicar agente",
    copyOf: (name) => `Cópia de ${name}`,
    import: "Importar fluxo",
    export: "Exportar fluxo",
    help: "Atalhos de teclado",
  },
  findings: {
    label: (count) => (count === 0 ? "Sem observações" : counted(count, "observação", "observações")),
    none: "Nenhum problema encontrado neste fluxo.",
    error: "Erro",
    warning: "Aviso",
  },
  outdated: {
    plain: "Outra pessoa publicou este agente depois que foi aberto aqui.",
    withEdits: "Outra pessoa publicou este agente depois que foi aberto aqui. Ao publicar, escolha qual versão manter.",
    load: "Carregar a outra",
  },
  conflict: {
    title: "Outra pessoa publicou este agente",
    text: "Ele mudou desde que foi aberto aqui. Mantenha a sua versão para torná-la a mais recente ou carregue a outra e descarte as suas alterações. Em ambos os casos, a outra versão fica no histórico de versões.",
    keepMine: "Manter a minha",
    loadTheirs: "Carregar a outra",
  },
  leaving: {
    title: "Sair sem salvar?",
    text: "Não foi possível salvar as últimas alterações do rascunho.",
    leave: "Sair sem salvar",
    stay: "Ficar",
  },
  import: {
    title: "Importar um fluxo",
    text: "Escolha um fluxo exportado do Weft ou um arquivo do AgentFlow V2. Ele substitui o conteúdo do canvas; Desfazer o restaura.",
    choose: "Escolher um arquivo",
    paste: "Ou cole o fluxo como texto",
    unread: "Não é um fluxo válido",
    several: (count) => `O arquivo contém ${counted(count, "fluxo", "fluxos")}`,
    chooseFlow: "Escolha um",
    found: (dialect, steps, connections) =>
      `${dialect === "native" ? "Um fluxo" : `Um fluxo em outro formato (${dialect})`} com ${counted(steps, "etapa", "etapas")} e ${counted(connections, "conexão", "conexões")}.`,
    findings: "Notas da importação",
    cancel: "Cancelar",
    replace: "Substituir o canvas",
  },
  versions: {
    title: "Versões",
    number: (number) => `Versão ${number}`,
    current: "Atual",
    restore: (number) => `Restaurar a versão ${number}`,
    keepsVersions: "Ela se torna a versão mais recente.",
    losesEdits: "Ela se torna a versão mais recente, e o rascunho é descartado.",
  },
  diff: {
    since: "Alterações desta versão para o canvas",
    none: "O canvas corresponde a esta versão.",
    edges: (added, removed) =>
      `Conexões: ${counted(added, "adicionada", "adicionadas")}, ${counted(removed, "removida", "removidas")}`,
    moved: (count) => `${counted(count, "movida", "movidas")} no canvas`,
    kinds: { added: "Adicionada", removed: "Removida", changed: "Alterada" },
    emptyText: "(vazio)",
    views: "Como as alterações são mostradas",
    steps: "Etapas",
    text: "Texto",
    unchanged: (count) => `Mostrar ${counted(count, "linha inalterada", "linhas inalteradas")}`,
    tooDifferent: "As duas têm muito pouco em comum para serem comparadas linha por linha.",
  },
};
