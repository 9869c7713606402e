import type { Areas } from "../areas.ts";

export const agentSettings: Areas["agentSettings"] = {
  title: (agent) => `Acceso y límites: ${agent}`,
  loadingTitle: "Acceso y límites",
  leave: "Hay cambios sin guardar en estos ajustes.",
  conflict: "Otra persona guardó este agente mientras tanto. Al recargar se ven sus cambios; los propios se pierden.",

  access: "Quién puede usarlo",
  isPublic: "Público",
  isPublicHelp: "Los visitantes pueden chatear sin clave, por ejemplo desde un widget de chat en un sitio web.",
  closed:
    "Los visitantes siguen bloqueados: este servidor no permite agentes públicos. Arrancarlo con ALLOW_PUBLIC_FLOWS=true para dejarlos entrar.",
  opened: "Los visitantes ya pueden chatear con él.",
  deployed: "Herramienta MCP",
  deployedHelp: "Ofrece el agente como herramienta en el punto de conexión MCP de este servidor.",
  key: "Clave de API exclusiva",
  keyHelp: "Si se define, las predicciones exigen esta clave, incluso si el agente es público.",
  anyKey: "Ninguna: sirve cualquier clave que pueda enviar mensajes",
  missingKey: (id) => `Eliminada (${id.slice(0, 8)})`,
  noMatch: "Sin coincidencias.",

  pages: "Sitios web",
  pagesText: "Limita qué sitios web pueden insertar un chat de este agente. No afecta a los clientes de la API.",
  origins: "Orígenes permitidos",
  originsHelp:
    "Por ejemplo, https://shop.example. Presionar Enter después de cada uno. Dejar vacío para permitir todos los sitios.",
  originsMessage: "Mensaje para otros sitios",

  limits: "Límite de mensajes",
  limitsText: "Se aplica por visitante, para que ninguno agote por sí solo el presupuesto del modelo.",
  isLimited: "Limitar los mensajes",
  limitMax: "Mensajes",
  limitDuration: "Periodo (segundos)",
  limitMessage: "Mensaje al alcanzar el límite",
  defaultLimitMessage: "Demasiados mensajes. Volver a intentarlo más tarde.",

  budget: "Presupuesto diario de los visitantes",
  budgetText:
    "Lo que los visitantes sin clave ni cuenta pueden consumir en un día, que termina a medianoche UTC. El coste cuenta cuando se conoce el precio del modelo. Quien administra este servidor puede permitir menos.",
  perVisitor: "Cada visitante",
  allVisitors: "Todos los visitantes juntos",
  budgetAmounts: { runs: "Mensajes al día", dollars: "Dólares al día" },

  retention: "Conservación",
  retentionText:
    "Cuántos días conserva este agente lo que dejan los visitantes sin clave ni cuenta: un chat desde su último mensaje, con sus ejecuciones, archivos, valoraciones y documentos, y un contacto desde que se dejó. Quien administra este servidor puede conservar menos.",
  retentionDays: { visitorDays: "Días para los chats", leadDays: "Días para los contactos" },
  retentionUnset: "Como en el servidor",

  overrides: "Cambios por mensaje",
  overridesText:
    "Qué pueden cambiar los clientes de la API y los visitantes en un mensaje concreto. Quien ha iniciado sesión puede cambiar todo menos las credenciales y las direcciones.",
  overridesOn: "Permitir cambiar ajustes por mensaje",
  overridesOnHelp: "Solo los ajustes elegidos aquí. Los demás se ignoran con una advertencia.",
  overrideVariables: "Variables",
  overrideVariablesHelp:
    "Si una variable forma parte de una dirección, quien llama puede decidir adónde van las solicitudes. Presionar Enter después de cada nombre.",
  overrideNode: (label) => `Ajustes de ${label}`,
  overrideHistory: "Permitir que los visitantes envíen el historial del chat",
  overrideHistoryHelp:
    "Los visitantes podrían falsificar respuestas anteriores del agente. Los clientes de la API siempre pueden enviarlo.",

  writes: "Acciones para visitantes",
  writesText:
    "Se aplica a visitantes sin clave ni cuenta, cuyos mensajes pueden engañar al agente. Con “Preguntar a una persona”, decide alguien con cuenta en Ejecuciones.",
  effects: { write: "Modificar datos", destructive: "Eliminar datos" },
  rulings: { allow: "Permitir", ask: "Preguntar a una persona", refuse: "Denegar" },

  chat: "Funciones del chat",
  chatText: "Se aplican al chat de Weft y a los clientes de chat en sitios web.",
  prompts: "Mensajes sugeridos",
  promptsHelp: "Se muestran antes del primer mensaje. Presionar Enter después de cada uno.",
  feedback: "Pedir valoraciones",
  feedbackHelp: "Pulgar arriba o abajo en cada respuesta.",
  followUps: "Sugerir mensajes después de una respuesta",
  followUpsHelp: "Se consulta otra vez al modelo del agente después de cada respuesta, lo que consume tokens.",
  files: "Permitir que los visitantes adjunten archivos",
  filesHelp: "Su texto se agrega a la pregunta.",
  fileTypes: "Tipos de archivo",
  fileTypesHelp: "Dejar vacío para permitir todos los tipos admitidos.",
  leads: "Pedir datos de contacto",
  leadsHelp: "Muestra un formulario antes del primer mensaje. Los datos aparecen en Mensajes y contactos.",
  leadsTitle: "Título del formulario",
  leadsSuccess: "Mensaje de confirmación",
  leadsFields: "Campos del formulario",
  leadFields: { name: "Nombre", email: "Correo electrónico", phone: "Teléfono" },

  speech: {
    title: "Voz",
    text: "Los visitantes graban un mensaje en el chat alojado o en el widget de chat. Lo que dicen se convierte en la pregunta.",
    isOn: "Permitir que los visitantes graben mensajes",
    isOnHelp: "Las grabaciones se envían al servicio elegido.",
    service: "Servicio",
    address: "Dirección",
    addressHelp: "Cualquier servidor con la API de transcripción de OpenAI.",
    badAddress: (example) =>
      `Introduce una dirección como ${example}. Hasta entonces, los visitantes no pueden grabar mensajes.`,
    credential: "Credencial",
    serverKeyHelp: "Déjalo vacío para usar la clave de este servidor.",
    noKeyHelp: "Déjalo vacío si el servicio no exige una clave.",
    needsCredential: (service) =>
      `${service} necesita una credencial. Elige una o créala aquí. Hasta entonces, las grabaciones fallan.`,
    deletedCredential: "Esta credencial se eliminó, por lo que las grabaciones fallan. Elige otra.",
    model: "Modelo",
    language: "Idioma",
    languageHelp: "El idioma que hablan los visitantes. Déjalo vacío para detectarlo.",
    prompt: "Palabras esperadas",
    promptHelp: "Nombres y términos que los visitantes probablemente digan, para que se escriban bien.",
    temperature: "Temperatura",
    temperatureHelp:
      "De 0 a 1. Con valores más altos se adivina con más libertad. Déjalo vacío para usar el valor predeterminado del servicio.",
    readsAloud: "Leer las respuestas en voz alta",
    readsAloudHelp:
      "Los chats muestran un botón debajo de cada respuesta; los programas usan la API. Los textos se envían al servicio elegido.",
    voiceService: "Servicio de lectura",
    voiceCredential: "Credencial de lectura",
    voice: "Voz",
    voiceModel: "Modelo de lectura",
    voiceHelp: "Déjalo vacío para usar el valor predeterminado del servicio.",
    voicesUnknown: "No se pudieron cargar las voces. Comprueba la credencial o escribe el ID de una voz.",
    autoPlay: "Leer automáticamente",
    autoPlayHelp:
      "Los chats leen cada respuesta en cuanto está completa. Cada respuesta transmitida se envía al servicio, aunque nadie la escuche.",
    unsupported: (service) =>
      `La voz usa ${service}, que este servidor no admite, así que los visitantes no pueden grabar mensajes. Elige otro servicio.`,
  },
};
