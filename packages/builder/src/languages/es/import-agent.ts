import type { Areas } from "../areas.ts";
import { formatList } from "../index.ts";
import { counted, plural } from "./plural.ts";

export const imports: Areas["import"] = {
  title: "Importar un agente",
  back: "Agentes",
  files: "Archivos",
  text: "Soltar aquí los archivos de un agente: un flujo de Weft o AgentFlow V2, un chatflow clásico, un flujo multiagente de Flowise, un flujo de trabajo de Microsoft Foundry con sus agentes o el código que exporta OpenAI Agent Builder.",
  choose: "Elegir archivos",
  add: "Agregar archivos",
  paste: "O pegar el texto de un archivo",
  remove: (name) => `Quitar ${name}`,
  pasted: "Texto pegado",
  tooLarge: (name) => `${name} supera los 4 MB, más que cualquier flujo. Elegir otro archivo.`,
  name: "Nombre",
  nameHelp: "Cómo se llama el agente.",
  fallbackName: "Flujo importado",
  several: (count) => `El archivo contiene ${counted(count, "flujo", "flujos")}`,
  chooseFlow: "Elegir uno",
  choices: "Asignar",
  choicesText:
    "Los archivos solo dan los nombres. Indicar a qué corresponden en este servidor, ahora o más tarde en el editor.",
  missingText: "El flujo los necesita y este servidor no los tiene tal cual. Elegir ahora o más tarde en el editor.",
  kinds: {
    model: (name) => `Modelo en lugar de ${name}`,
    agent: (name) => `Agente ${name}`,
    "document-store": (name) => `Almacén de documentos en lugar de ${name}`,
    credential: (name) => `Credencial en lugar de ${name}`,
  },
  defaultModels: (count) => plural(count, "Usar el modelo predeterminado", "Usar el modelo predeterminado para todos"),
  secrets: "Secretos",
  secretsText:
    "Los archivos contienen estos secretos. Se guardan cifrados como credenciales y nunca pasan a formar parte del flujo. Conviene renovarlos en su proveedor: cualquiera que tuviera los archivos pudo leerlos.",
  sentTo: (host) => `se envía solo a ${host}`,
  findings: "A tener en cuenta",
  counts: ({ exact, approximate, refused }) =>
    `${formatList([
      counted(exact, "paso convertido con exactitud", "pasos convertidos con exactitud"),
      ...(approximate > 0 ? [`${approximate} con una observación`] : []),
      ...(refused > 0 ? [counted(refused, "requiere atención", "requieren atención")] : []),
    ])}.`,
  submit: "Importar",
  unread: "No se pueden leer estos archivos",
  empty: "El flujo aparece aquí antes de guardar nada.",
};
