import type { Areas } from "../areas.ts";
import { formatList } from "../index.ts";
import { counted } from "./plural.ts";

export const settings: Areas["settings"] = {
  title: "Configuración",
  account: "Cuenta",
  name: "Nombre",
  email: "Correo electrónico",
  unnamed: "Sin nombre",
  operator:
    "Sesión iniciada con un token de la línea de comandos. No está vinculado a ninguna cuenta, así que no hay contraseña que cambiar.",
  password: "Contraseña",
  passwordText: "Al cambiarla se cierra la sesión en todos los demás dispositivos.",
  currentPassword: "Contraseña actual",
  newPassword: "Contraseña nueva",
  newPasswordHint: "Al menos 8 caracteres.",
  changePassword: "Cambiar contraseña",
  passwordChanged: "La contraseña se cambió. Se cerró la sesión en todos los demás dispositivos.",
  everywhere: "Cerrar sesión en todas partes",
  everywhereText:
    "¿Un dispositivo perdido o con la sesión abierta? Introducir la contraseña para cerrar todas las sesiones de la cuenta, incluida esta. No afecta a las claves de API.",
  everywhereSubmit: "Cerrar sesión en todas partes",
  appearance: "Apariencia",
  colours: "Colores",
  schemes: { auto: "Sistema", light: "Claro", dark: "Oscuro" },
  language: "Idioma",
  languageHelp: "Los nombres de los pasos y los mensajes de error del servidor siguen en inglés.",
  browserLanguage: (name) => `El del navegador (${name})`,
  flowise: "Mudarse desde Flowise",
  flowiseText:
    "Trae una instalación completa de Flowise desde su base de datos: agentes, credenciales, claves de API, almacenes de documentos y chats, con los mismos identificadores.",
  flowiseOpen: "Empezar la mudanza",
  retention: "Cuánto tiempo se guardan los datos",
  retentionText:
    "El operador lo cambia con variables de entorno del servidor. Todo se puede eliminar antes, chat por chat o para una persona.",
  retentionKinds: {
    runs: "Ejecuciones terminadas",
    payloads: "Entradas y salidas grandes de sus pasos",
    upserts: "Registros de upserts",
    "visitor-chats": "Chats de visitantes",
    chats: "Otros chats y valoraciones",
    leads: "Contactos",
    uploads: "Archivos de chats sin ejecuciones",
    "unsent-files": "Archivos de chats que nunca empiezan",
    logs: "Registros del servidor",
  },
  untilDeleted: "Hasta que se eliminen",
  notKept: "No se guardan: van a la salida del servidor",
  retentionSetting: (name) => `Lo define ${name}`,
  about: "Acerca de",
  version: "Versión del servidor",
  documentation: "Documentación de la API",
};

export const variables: Areas["variables"] = {
  title: "Variables",
  summary: "Valores que cualquier flujo puede leer: {{ $vars.name }} en texto, $vars.name en código.",
  create: "Nueva variable",
  createTitle: "Nueva variable",
  editTitle: "Editar variable",
  search: "Buscar variables",
  emptyTitle: "Aún no hay variables",
  emptyText:
    "Guardar aquí valores que comparten varios flujos, como una dirección, una ciudad o un límite. Si se cambia uno, todos los flujos usan el valor nuevo.",
  nameHint: "Usar letras, cifras y guiones bajos para que el código pueda leerla como $vars.name.",
  types: {
    string: "Texto",
    number: "Número",
    boolean: "Sí o no",
    json: "JSON",
    runtime: "Del entorno del servidor",
    static: "Texto (estático)",
  },
  runtimeHint:
    "Se lee de la variable de entorno con este nombre al ejecutarse un flujo. Los nombres permitidos se definen en RUNTIME_VARIABLES.",
  runtimeValue: "Se lee al ejecutarse un flujo",
  yes: "true",
  no: "false",
  noValue: "Vacío",
  saved: (name) => `Se guardó “${name}”.`,
  deleted: (name) => `Se eliminó “${name}”.`,
  deleteTitle: "¿Eliminar esta variable?",
  deleteText: (name) =>
    `Los flujos que leen $vars.${name} no obtendrán ningún valor. Esta acción no se puede deshacer.`,
};

export const credentials: Areas["credentials"] = {
  title: "Credenciales",
  summary: "Claves y contraseñas para modelos e integraciones. Se guardan cifradas y no se vuelven a mostrar.",
  create: "Nueva credencial",
  createTitle: "Nueva credencial",
  editTitle: "Editar credencial",
  emptyTitle: "Aún no hay credenciales",
  emptyText:
    "Agregar la clave de un proveedor de modelos o de un servicio al que llaman los flujos. Los flujos la citan por su nombre y nunca ven su valor.",
  modelGroup: "Modelos",
  otherGroup: "Servicios a los que llaman los flujos",
  earlierGroup: "Nombres que usan los clientes existentes",
  keepsValue: "Dejar vacío para conservar el valor guardado",
  isSet: "Hay un valor guardado",
  optional: (title) => `${title} (opcional)`,
  values: "Valores",
  remove: "Quitar el valor guardado",
  unreadable: "Ilegible",
  unreadableText:
    "Los valores guardados no se pueden descifrar porque la clave de cifrado del servidor cambió. Introducirlos de nuevo y guardar.",
  unknownType: "Este servidor no admite este tipo de credencial. Se puede cambiar el nombre; los valores se conservan.",
  hosts: "Hosts",
  hostsHelp: (implied) =>
    `La credencial solo se envía a estos hosts${implied.length === 0 ? "" : ` y a ${formatList(implied)}`}. Al publicar un agente se pregunta antes de agregar uno nuevo. Por ejemplo, api.example.com, api.example.com:8443 o *.example.com.`,
  allowedBy: (by, date) => `Permitido por ${by} el ${date}`,
  allowedBefore: "Permitido antes de que esto se registrara",
  bind: (host) => `Permitir esta credencial para ${host}`,
  bound: (name, host) => `“${name}” ya se puede enviar a ${host}.`,
  saved: (name) => `Se guardó “${name}”.`,
  deleted: (name) => `Se eliminó “${name}”.`,
  deleteTitle: "¿Eliminar esta credencial?",
  deleteText: (name) =>
    `Los flujos y modelos que usan “${name}” fallarán hasta que se elija otra credencial. Esta acción no se puede deshacer.`,
};

export const models: Areas["models"] = {
  title: "Modelos",
  summary: "Modelos que usan los agentes. Un flujo puede indicar su propio modelo; si no, usa el predeterminado.",
  provider: "Proveedor",
  model: "Modelo",
  modelHint:
    "Elegir uno o introducir cualquier nombre de modelo del proveedor. Dejar vacío para usar el predeterminado del proveedor.",
  optional: (title) => `${title} (opcional)`,
  keyStays: "La clave se guarda cifrada en este servidor y no se vuelve a mostrar.",
  refused: "El modelo no respondió",
  connect: "Conectar un modelo",
  connectSubmit: "Probar y usar",
  credential: "Credencial",
  serverKey: "Configuración del servidor",
  deletedCredential: "Credencial eliminada",

  defaultTitle: "Modelo predeterminado",
  providerDefault: "el predeterminado del proveedor",
  chosenHere: "Elegido aquí. Prevalece sobre el entorno del servidor.",
  fromConfiguration: "Definido por el entorno del servidor. Conectar un modelo aquí para usarlo en su lugar.",
  rehearsal:
    "No hay ningún modelo real conectado. Los flujos usan el modelo de ensayo: sigue reglas fijas, no es una IA y lo dice en cada respuesta.",
  reset: "Usar la configuración del servidor",
  wasReset: "El modelo predeterminado procede ahora de la configuración del servidor.",
  wasChosen: (title) => `${title} es ahora el modelo predeterminado.`,
  change: "Cambiar",
  changeTitle: "Elegir el modelo predeterminado",
  test: "Probar conexión",
  testing: "Probando…",
  answered: (model, durationMs) => `${model} respondió en ${durationMs} ms`,

  providersTitle: "Proveedores",
  isDefault: "Predeterminado",
  images: "Admite imágenes",
  credentialCount: (count) => counted(count, "credencial", "credenciales"),
  noCredential: "Aún sin credencial",
  builtIn: "Integrado",
  addCredential: "Agregar credencial",
};
