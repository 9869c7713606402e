import type { Areas } from "../areas.ts";
import { formatList, formatNumber } from "../index.ts";
import { plural } from "./plural.ts";

export const flowiseMove: Areas["flowiseMove"] = {
  title: "Mudarse desde Flowise",
  summary:
    "Trae agentes, credenciales, claves de API, almacenes de documentos, chats y más desde una base de datos de Flowise, con los mismos identificadores. Un simulacro muestra lo que ocurriría antes de escribir nada.",
  back: "Ajustes",
  forbiddenTitle: "Sin permiso para importar",
  forbiddenText:
    "Importar una instalación requiere el permiso installation:import. Pedirlo a quien administra el servidor.",

  file: "Archivo",
  fileText:
    "Detener Flowise y elegir su database.sqlite, que está en DATABASE_PATH o en ~/.flowise. Sin acceso a ese servidor, elegir el ExportData.json que crea la exportación de Flowise; no contiene credenciales, claves de API, contactos ni valores de variables.",
  commandText:
    "Las bases de datos PostgreSQL, MySQL y MariaDB, los archivos de más de 2 GiB y los archivos de la carpeta de almacenamiento solo se pueden importar en el servidor:",
  choose: "Elegir archivo",
  chooseAgain: "Elegir archivo y continuar",
  emptyFile: (name) => `${name} está vacío. Elegir database.sqlite o ExportData.json.`,
  tooLarge: (name) =>
    `${name} supera los 2 GiB, el máximo que se puede subir. Ejecutar en su lugar npm run import-flowise en el servidor.`,
  uploading: (name) => `Subiendo ${name}`,
  uploaded: (sent, size) => `${sent} de ${size} subidos`,
  uploadGoesOn: "Mientras tanto se pueden usar otras páginas; dejar abierta esta ventana.",
  lost: "Se perdió la conexión. La subida continúa en cuanto se pueda acceder al servidor.",
  stopUpload: "Detener la subida",
  incomplete: (name, received, size) =>
    `Se han subido ${received} de ${size} de ${name}. Elegir el mismo archivo para continuar u otro para empezar de nuevo.`,
  complete: (name, size) => `${name} (${size}) está subido.`,
  remove: "Eliminar el archivo subido",

  choices: "Opciones",
  key: "Clave de cifrado",
  keyText:
    "El texto de encryption.key, que está en SECRETKEY_PATH o en ~/.flowise, o el valor de FLOWISE_SECRETKEY_OVERWRITE. Sin ella, las credenciales se importan sin sus valores.",
  noKeyNeeded: "ExportData.json no contiene credenciales, así que no hace falta ninguna clave.",
  keyGiven: "El servidor tiene la clave. Solo la guarda en memoria, hasta que termine la importación.",
  changeKey: "Cambiar la clave",
  readKey: "Leer de un archivo",
  notAKey: (name) => `${name} es demasiado grande para ser una clave. Elegir encryption.key.`,
  workspace: "Espacio de trabajo",
  allWorkspaces: "Todos los espacios de trabajo",
  openFlows: "Agentes sin clave de API",
  openFlowsText: "En Flowise responden a cualquiera. Elegir qué será de ellos aquí.",
  openFlowsChoices: {
    closed: "Exigir una clave de API",
    public: "Responder a cualquiera, si el servidor funciona con ALLOW_PUBLIC_FLOWS=true",
  },
  destinations: "Permitir que las credenciales vayan adonde las envían los flujos",
  destinationsText:
    "El simulacro muestra estas direcciones en cada agente. Sin esto, los agentes solo las llaman cuando se ha permitido cada una.",
  startDryRun: "Iniciar simulacro",
  repeatDryRun: "Repetir simulacro",
  changed: "Las opciones han cambiado desde el último simulacro. Repetirlo antes de importar.",

  dryRun: "Simulacro",
  import: "Importación",
  submit: "Importar",
  opening: "Abriendo el archivo…",
  reading: (kind, done, total) => `${kind}: ${formatNumber(done)} de ${formatNumber(total)} leídos`,
  goesOn: "El servidor continúa aunque se cierre esta página. Volver para ver el informe.",
  outOfReach:
    "No se puede acceder al servidor en este momento. Lo que estaba haciendo continúa allí, si sigue en marcha.",
  stop: "Detener",
  stopTitle: "¿Detener y eliminar el archivo?",
  stopDryRunText: "No se ha escrito nada. El archivo subido y la clave se eliminan del servidor.",
  stopImportText:
    "Lo importado hasta ahora se conserva. El archivo subido y la clave se eliminan del servidor; para añadir el resto, subir el archivo e importar de nuevo.",
  dryRunFailed: "El simulacro falló",
  importFailed: "La importación falló",

  wouldAdd: (rows) =>
    `Una importación añadiría ${formatNumber(rows)} ${plural(rows, "elemento", "elementos")}. Todavía no se ha escrito nada.`,
  nothingToAdd: "Todo lo que contiene este archivo ya está aquí. Una importación no escribiría nada.",
  added: (rows) =>
    `${plural(rows, "Se importó", "Se importaron")} ${formatNumber(rows)} ${plural(rows, "elemento", "elementos")}.`,
  nothingAdded: "Todo lo que contiene este archivo ya estaba aquí. No se escribió nada.",
  removed:
    "El archivo subido y la clave se han eliminado del servidor. Este informe se conserva hasta que se reinicie el servidor.",
  downloadReport: "Descargar informe",
  close: "Cerrar informe",

  counts: "Elementos por tipo",
  kind: "Tipo",
  columns: { read: "Leídos", written: "Nuevos", there: "Ya están aquí", left: "Omitidos" },
  kinds: {
    credential: "Credenciales",
    variable: "Variables",
    tool: "Herramientas",
    custom_mcp_server: "Servidores MCP",
    apikey: "Claves de API",
    document_store: "Almacenes de documentos",
    "document_store.loaders": "Cargadores",
    document_store_file_chunk: "Fragmentos",
    chat_flow: "Agentes",
    assistant: "Asistentes",
    schedule_record: "Programaciones",
    chat_message: "Mensajes de chat",
    "files of chats": "Archivos de chats",
    chat_message_feedback: "Valoraciones",
    lead: "Contactos",
    upsert_history: "Historial de indexación",
    execution: "Ejecuciones",
  },
  left: "Omitidos, y por qué",

  todo: "Qué hacer",
  environment:
    "Definir esto en el entorno del servidor y reiniciarlo. Si una variable ya está definida, ampliar su lista.",
  publicFlows: "Los agentes públicos responden a cualquiera cuando se define ALLOW_PUBLIC_FLOWS=true.",
  runtimeVariables: (names) =>
    `Hay flujos que leen ${formatList(names)} del entorno: definir allí cada una y nombrarla en RUNTIME_VARIABLES.`,
  privateHosts: (hosts) =>
    `Hay flujos que llaman a ${formatList(hosts)} en una red privada. Dejar en EGRESS_ALLOW solo lo que deban alcanzar.`,
  schedules: (names) =>
    `Las programaciones llegan desactivadas. Cuando Flowise esté detenido, activarlas aquí: ${formatList(names)}.`,
  embedding: (stores) =>
    `Se están vectorizando de nuevo los pasajes de ${formatList(stores)}. Los almacenes de documentos muestran el progreso.`,
  openStores: "Abrir los almacenes de documentos",

  agents: "Agentes",
  agentCounts: (clear, withFindings) =>
    `${formatNumber(clear)} sin observaciones, ${formatNumber(withFindings)} con observaciones`,
  access: {
    key: "Exige su clave de API, como en Flowise",
    public: "Abierto a cualquiera, como en Flowise",
    closed: "Exige una clave de API; en Flowise respondía a cualquiera",
  },
  notMoved: (counts) => `No se traslada, porque no tiene equivalente aquí: ${counts.join(", ")}.`,
};
