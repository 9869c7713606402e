import type { Areas } from "../areas.ts";
import { counted } from "./plural.ts";

const problemsOf = (count: number) => counted(count, "problema", "problemas");
const warningsOf = (count: number) => counted(count, "advertencia", "advertencias");

export const editor: Areas["canvas"]["editor"] = {
  opening: "Abriendo el agente",
  notOpened: "No se pudo abrir el agente",
  notSaved: "Sin guardar",
  missingStep: (id) => `El paso ${id} ya no está en este flujo.`,
  back: "Todos los agentes",
  name: "Nombre del agente",
  draft: {
    saved: "Borrador guardado",
    waiting: "Editando el borrador",
    saving: "Guardando el borrador…",
    changed:
      "Otra persona modificó este flujo después de abrirlo aquí. La versión propia no se guarda hasta elegir una.",
    failed: (problem) => `Borrador no guardado: ${problem}`,
    loadTheirs: "Cargar la otra",
    keepMine: "Conservar la mía",
  },
  published: "Publicado",
  publishedWith: (problems, warnings) => `Publicado · ${problems > 0 ? problemsOf(problems) : warningsOf(warnings)}`,
  publish: "Publicar",
  undo: "Deshacer",
  redo: "Rehacer",
  chat: "Chat",
  code: {
    title: "Flujo como código",
    close: "Cerrar el código",
    valid: "El flujo es válido. El lienzo lo muestra.",
    notJson: (problem) => `Aún no es JSON: ${problem}. El lienzo muestra el último flujo válido.`,
    notFlow: (path, problem) =>
      `Aún no es un flujo${path === "" ? "" : `, en ${path}`}: ${problem}. El lienzo muestra el último flujo válido.`,
  },
  panel: {
    step: "Paso",
    chat: "Chat",
    code: "Código",
    choose: "Panel lateral",
    resize: "Ancho del panel lateral",
  },
  foreign: {
    shown: (dialect) =>
      `Este agente está guardado en otro formato de flujo (${dialect}). El lienzo muestra cómo se ejecuta.`,
    nothing: "El lienzo está vacío.",
    untouched: "El flujo guardado no cambia hasta que se publique.",
    rewritten: "Al publicar se convierte al formato nativo y el original se conserva como versión anterior.",
  },
  actions: {
    add: "Agregar un paso",
    chat: "Abrir o cerrar el chat",
    code: "Editar el flujo como código",
    tidyUp: "Ordenar el lienzo",
    fit: "Ajustar el flujo a la ventana",
    versions: "Mostrar versiones",
    help: "Mostrar los atajos de teclado",
  },
  menu: {
    label: "Más acciones",
    versions: "Versiones",
    code: "Editar como código",
    discard: "Descartar el borrador",
    duplicate: "Duplicar agente",
    copyOf: (name) => `Copia de ${name}`,
    import: "Importar flujo",
    export: "Exportar flujo",
    help: "Atajos de teclado",
  },
  findings: {
    label: (count) => (count === 0 ? "Sin observaciones" : counted(count, "observación", "observaciones")),
    none: "No se encontraron problemas en este flujo.",
    error: "Error",
    warning: "Advertencia",
  },
  outdated: {
    plain: "Otra persona publicó este agente después de abrirlo aquí.",
    withEdits:
      "Otra persona publicó este agente después de abrirlo aquí. Al publicar se puede elegir qué versión conservar.",
    load: "Cargar la otra",
  },
  destinations: {
    title: "Adónde van las credenciales",
    text: "Este agente enviaría credenciales a lugares que nadie ha permitido todavía. Permite solo direcciones conocidas y de confianza.",
    ofStep: (name, destination, step) => `El paso “${step}” enviará “${name}” a ${destination}.`,
    ofAgent: (name, destination) => `“${name}” se enviará a ${destination}.`,
    allow: "Permitir y publicar",
    without: "Publicar sin permitir",
  },
  conflict: {
    title: "Otra persona publicó este agente",
    text: "Ha cambiado desde que se abrió. Conservar la versión propia para que sea la más reciente, o cargar la otra y descartar los cambios propios. En ambos casos, la otra queda en el historial de versiones.",
    keepMine: "Conservar la mía",
    loadTheirs: "Cargar la otra",
  },
  leaving: {
    title: "¿Salir sin guardar?",
    text: "No se pudieron guardar los últimos cambios del borrador.",
    leave: "Salir sin guardar",
    stay: "Quedarse",
  },
  import: {
    title: "Importar un flujo",
    text: "Elegir un flujo exportado de Weft, un archivo de AgentFlow V2, un chatflow clásico o un flujo multiagente. Sustituye el contenido del lienzo; Deshacer lo restaura.",
    choose: "Elegir un archivo",
    paste: "O pegar el flujo como texto",
    unread: "No es un flujo válido",
    several: (count) => `El archivo contiene ${counted(count, "flujo", "flujos")}`,
    chooseFlow: "Elegir uno",
    found: (dialect, steps, connections) =>
      `${dialect === "native" ? "Un flujo" : `Un flujo en otro formato (${dialect})`} con ${counted(steps, "paso", "pasos")} y ${counted(connections, "conexión", "conexiones")}.`,
    choices: "Asignar",
    findings: "Notas de importación",
    cancel: "Cancelar",
    replace: "Sustituir el lienzo",
  },
  versions: {
    title: "Versiones",
    number: (number) => `Versión ${number}`,
    current: "Actual",
    restore: (number) => `Restaurar la versión ${number}`,
    keepsVersions: "Pasa a ser la versión más reciente.",
    losesEdits: "Pasa a ser la versión más reciente y el borrador se descarta.",
  },
  diff: {
    since: "Cambios de esta versión al lienzo",
    none: "El lienzo coincide con esta versión.",
    edges: (added, removed) =>
      `Conexiones: ${counted(added, "agregada", "agregadas")}, ${counted(removed, "quitada", "quitadas")}`,
    moved: (count) => `${counted(count, "movido", "movidos")} en el lienzo`,
    kinds: { added: "Agregado", removed: "Quitado", changed: "Modificado" },
    emptyText: "(vacío)",
    views: "Cómo se muestran los cambios",
    steps: "Pasos",
    text: "Texto",
    unchanged: (count) => `Mostrar ${counted(count, "línea sin cambios", "líneas sin cambios")}`,
    tooDifferent: "Ambas tienen muy poco en común para compararlas línea por línea.",
  },
};
