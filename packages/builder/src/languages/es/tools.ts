import type { Areas } from "../areas.ts";
import { formatNumber } from "../index.ts";

export const tools: Areas["tools"] = {
  title: "Herramientas",
  summary:
    "Funciones de JavaScript que los agentes pueden llamar. Se ejecutan en un entorno aislado y solo acceden a otros servicios mediante fetch.",
  create: "Nueva herramienta",
  search: "Buscar herramientas",
  emptyTitle: "Aún no hay herramientas",
  emptyText:
    "Una herramienta da a un agente código propio que ejecutar: consultar sistemas, calcular un precio, buscar un dato.",
  parameters: "Parámetros",
  noParameters: "Ninguno",
  notReadable: "JSON Schema",
  deleteTitle: "¿Eliminar esta herramienta?",
  deleteText: (name) => `Los agentes que usan “${name}” fallarán al ejecutarse. Esta acción no se puede deshacer.`,
  deleted: (name) => `Se eliminó “${name}”.`,
  saved: (name) => `Se guardó “${name}”.`,
  copyOf: (name) => `${name}_copia`,

  newTitle: "Nueva herramienta",
  back: "Todas las herramientas",
  name: "Nombre",
  nameHelp: "El nombre que usa el modelo. Se permiten letras, cifras y _.",
  namePlaceholder: "get_weather",
  description: "Descripción",
  descriptionHelp: "Indica al modelo qué hace la herramienta y cuándo llamarla.",
  descriptionPlaceholder: "Devuelve el tiempo de hoy en una ciudad.",
  colour: "Color",
  icon: "Icono",
  iconUpload: "Subir",
  iconRemove: "Quitar",
  iconTooLarge: (limitKb) => `Una imagen puede ocupar como máximo ${limitKb} kB.`,
  iconRemote: "Las imágenes de otros sitios se conservan, pero no se muestran aquí.",
  parametersHelp: "Los rellena el modelo. El código lee cada uno como $name.",
  code: "Código",
  codeHelp:
    "El cuerpo de una función asíncrona; debe devolver el resultado. El texto se pasa al modelo tal cual; lo demás, como JSON.",
  codePlaceholder: 'const response = await fetch("https://example.com/" + $city);\nreturn await response.text();',
  known: "Disponible en el código",
  knownNames: {
    vars: "las variables, por ejemplo $vars.company",
    flow: "la ejecución: chatId, sessionId, input, state",
    fetch: "solicitudes HTTP, según las reglas del servidor",
  },
  parameter: "parámetro",
  test: "Probar",
  testHelp: "Llama de verdad a la herramienta, con el código de este formulario.",
  run: "Ejecutar",
  stop: "Detener",
  saveFirst: "Guardar la herramienta para probarla.",
  noInput: "Esta herramienta no tiene parámetros.",
  result: "Resultado",
  failed: "El código falló",
  logs: "Consola",
  duration: (ms) => `${formatNumber(ms)} ms`,
  emptyResult: "Texto vacío",

  leave: "Hay cambios sin guardar en esta herramienta.",
  conflict:
    "Otra persona guardó esta herramienta mientras tanto. Al recargar se ven sus cambios; los propios se pierden.",
};
