import type { Areas } from "../areas.ts";
import { formatNumber } from "../index.ts";
import { counted } from "./plural.ts";

export const common: Areas["common"] = {
  uses: {
    title: "Lo usan",
    none: "Nada lo usa.",
    step: (name, step) => `${name}: paso “${step}”`,
    draft: (name) => `${name} (borrador)`,
    defaultModel: "El modelo predeterminado",
    more: (count) => `y ${counted(count, "lugar más", "lugares más")}`,
  },
  cancel: "Cancelar",
  save: "Guardar",
  saved: "Guardado",
  reload: "Recargar",
  create: "Crear",
  delete: "Eliminar",
  edit: "Editar",
  close: "Cerrar",
  done: "Listo",
  copy: "Copiar",
  copied: "Copiado",
  copyCode: "Copiar código",
  duplicate: "Duplicar",
  name: "Nombre",
  type: "Tipo",
  value: "Valor",
  updated: "Actualización",
  created: "Creación",
  actionsOf: (name) => `Acciones de ${name}`,
  actions: "Acciones",
  labelled: (label, value) => `${label}: ${value}`,
  optional: "Opcional",
  showPassword: "Mostrar u ocultar la contraseña",
  nothingFound: (text) => `No hay resultados para “${text}”.`,
  clearSearch: "Borrar búsqueda",
  loading: "Cargando",
  leaveTitle: "¿Salir sin guardar?",
  leave: "Salir",
  stay: "Quedarse",
  justNow: "ahora mismo",
  units: { ms: "ms", s: "s", min: "min", h: "h", d: "d" },
};

export const error: Areas["error"] = {
  conflict:
    "Otra persona modificó esto mientras tanto y el cambio no se guardó. Cargar la versión actual y repetir el cambio.",
  title: "Se produjo un error",
  unreachable:
    "No se puede conectar con el servidor. Comprobar que está en marcha y que hay conexión, y volver a intentarlo.",
  unknown: "Se produjo un error inesperado en esta página. Recargarla y notificar el error si se repite.",
  status: (status) => `El servidor respondió con el estado ${status}. La causa figura en su registro.`,
  retry: "Reintentar",
  reload: "Recargar la página",
  requestId: (id) => `Solicitud ${id}`,
  pageTitle: "No se pudo mostrar esta página",
  newVersion: "Weft se actualizó en el servidor. Recargar para usar la nueva versión.",
  notFoundTitle: "Página no encontrada",
  notFoundText: "Comprobar la dirección. Es posible que el contenido se haya eliminado.",
  toAgents: "Ir a los agentes",
};

export const shell: Areas["shell"] = {
  product: "Weft",
  navigation: "Principal",
  skipToContent: "Saltar al contenido",
  home: "Inicio",
  agents: "Agentes",
  assistants: "Asistentes",
  executions: "Ejecuciones",
  inbox: "Bandeja de entrada",
  inboxCount: (count) => `${counted(count, "ejecución espera", "ejecuciones esperan")} una respuesta`,
  inboxShortCount: (count) => (count > 99 ? "99+" : String(count)),
  documentStores: "Almacenes de documentos",
  tools: "Herramientas",
  models: "Modelos",
  prices: "Precios",
  credentials: "Credenciales",
  variables: "Variables",
  apiKeys: "Claves de API",
  system: "Sistema",
  settings: "Configuración",
  documentation: "Documentación de la API",
  lightColours: "Tema claro",
  darkColours: "Tema oscuro",
  signOut: "Cerrar sesión",
  loading: "Cargando",
  commands: {
    title: "Ir a o hacer",
    open: "Ir a",
    search: "Buscar una página, un agente o una acción",
    here: "En esta página",
    create: "Nuevo",
    newAgent: "Nuevo agente",
    newFromTemplate: "Nuevo agente a partir de una plantilla",
    importAgent: "Importar un agente",
    moveFromFlowise: "Mudarse desde Flowise",
    pages: "Páginas",
    everywhere: "En cualquier lugar",
    nothing: (text) => `Nada coincide con “${text}”.`,
  },
};

export const volume: Areas["volume"] = {
  volumeSummary: (runs, failures) =>
    `${counted(runs, "ejecución", "ejecuciones")}, ${formatNumber(failures)} con error`,
  part: (start, runs, failures) => `${start}: ${volume.volumeSummary(runs, failures)}`,
};

export const runState: Areas["runState"] = {
  INPROGRESS: "En curso",
  FINISHED: "Completada",
  ERROR: "Con error",
  TIMEOUT: "Tiempo agotado",
  TERMINATED: "Cancelada",
  STOPPED: "En espera",
};

export const json: Areas["json"] = {
  items: (count) => counted(count, "elemento", "elementos"),
  members: (count) => counted(count, "campo", "campos"),
  showAll: (count) => `Mostrar todo (${formatNumber(count)})`,
  showMore: (count, rest) => `Mostrar ${formatNumber(count)} más de ${formatNumber(rest)}`,
  showCharacters: (count) => `Mostrar todo (${counted(count, "carácter", "caracteres")})`,
  copyValue: (name) => `Copiar el valor de ${name}`,
  copyPath: (name) => `Copiar la ruta de ${name}`,
};
