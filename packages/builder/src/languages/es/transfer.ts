import type { Areas } from "../areas.ts";
import { formatList } from "../index.ts";

export const transfer: Areas["transfer"] = {
  title: "Exportar e importar",
  text: "Traslada agentes, herramientas, variables, asistentes y almacenes de documentos entre instalaciones en un solo archivo. Los valores de las credenciales, las claves de API, los documentos, los chats y las ejecuciones se quedan aquí.",
  withVersions: "Incluir versiones anteriores de los agentes",
  download: "Descargar exportación",
  fileName: (isoDay) => `weft-export-${isoDay}.json`,
  choose: "Elegir archivo de exportación",
  notJson: (name) => `${name} no es JSON válido. Elegir un archivo descargado como exportación.`,
  checking: "Comprobando el archivo…",
  preview: (name) => `Lo que haría la importación de ${name}. Todavía no se ha cambiado nada.`,
  nothingToDo: (name) => `La importación de ${name} no cambiaría nada aquí.`,
  imported: (name) => `Se importó ${name}.`,
  report: "Elementos por tipo",
  mode: "Si un elemento difiere del que hay aquí",
  modes: { skip: "Conservar el de aquí", overwrite: "Sobrescribir con el archivo" },
  kind: "Tipo",
  kinds: {
    agents: "Agentes",
    assistants: "Asistentes",
    tools: "Herramientas",
    variables: "Variables",
    documentStores: "Almacenes de documentos",
  },
  outcomes: { added: "Agregado", unchanged: "Sin cambios", overwritten: "Sobrescrito", skipped: "Conservado" },
  named: (outcome, names) => `${outcome}: ${formatList(names)}`,
  next: "Próximos pasos",
  submit: "Importar",
  cancel: "Cancelar",
  done: "Listo",
};
