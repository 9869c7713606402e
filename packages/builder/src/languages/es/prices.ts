import type { Areas } from "../areas.ts";
import { formatDollars } from "../index.ts";
import { counted } from "./plural.ts";

export const prices: Areas["prices"] = {
  title: "Precios",
  summary:
    "Lo que cuestan las llamadas a modelos, en dólares estadounidenses por millón de tokens. Las ejecuciones usan estos precios desde que se fijan.",
  sourceTitle: "Lista de precios",
  sourceText: (count, date) =>
    `${counted(count, "modelo", "modelos")}, a fecha de ${date}. La lista viene con esta versión y nunca se descarga.`,
  source: "Fuente",
  licence: "Licencia",
  date: "Fecha",
  table: "Modelos",
  search: "Buscar modelos",
  emptyTitle: "Aún no se ha llamado a ningún modelo",
  emptyText: "Los modelos aparecen aquí cuando una ejecución los ha llamado. Sus precios se pueden fijar antes.",
  model: "Modelo",
  input: "Entrada",
  output: "Salida",
  origin: "Origen",
  none: "–",
  dollars: (amount) => formatDollars(amount, 2, 6),
  origins: {
    set: "Fijado aquí",
    environment: "Configuración del servidor",
    list: "Lista de precios",
    none: "Sin precio",
  },
  noPriceHint: "Sus ejecuciones no tienen coste hasta que se fije un precio.",
  add: "Fijar un precio",
  edit: "Cambiar el precio",
  reset: "Quitar el precio propio",
  addTitle: "Fijar el precio de un modelo",
  editTitle: (model) => `Precio de ${model}`,
  modelHint: "Proveedor y nombre, como los muestran las ejecuciones: openai/gpt-4o-mini",
  inputLabel: "Entrada, dólares por millón de tokens",
  outputLabel: "Salida, dólares por millón de tokens",
  badModel: "Escribir proveedor y nombre separados por una barra, por ejemplo openai/gpt-4o-mini.",
  badPrice: "Escribir una cantidad en dólares: 0 o más, como máximo 1 000 000.",
  unknownModel:
    "Ni la lista de precios ni ninguna ejecución conocen este modelo. El precio vale cuando una ejecución lo llame.",
  listed: (input, output) => `Según la lista de precios: ${input} de entrada y ${output} de salida.`,
  saved: (model) => `Las ejecuciones de ${model} cuestan esto desde ahora. Los costes anteriores no cambian.`,
  removed: (model) => `El precio propio de ${model} se quitó.`,
};
