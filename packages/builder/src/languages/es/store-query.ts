import type { Areas } from "../areas.ts";
import { formatNumber } from "../index.ts";

export const storeQuery: Areas["storeQuery"] = {
  compare: "Comparar",
  compareHelp: "Hace la misma pregunta en cada modo y muestra los resultados uno al lado del otro.",
  asSetUp: "Según los ajustes",
  asSetUpHelp:
    "«Según los ajustes» añade los ajustes de búsqueda del almacén, como un reordenador; los demás modos los omiten.",
  column: (mode) => `Pasajes: ${mode}`,
  places: {
    keyword: (place) => `n.º ${place} por palabras`,
    vector: (place) => `n.º ${place} por significado`,
    hybrid: (place) => `n.º ${place} en la híbrida`,
    store: (place) => `n.º ${place} según los ajustes`,
  },
  absent: {
    keyword: (depth) => `no está entre los primeros ${depth} por palabras`,
    vector: (depth) => `no está entre los primeros ${depth} por significado`,
    hybrid: (depth) => `no está entre los primeros ${depth} de la híbrida`,
    store: (depth) => `no está entre los primeros ${depth} según los ajustes`,
  },
  showAll: "Mostrar todo",
  showLess: "Mostrar menos",

  filter: "Filtro",
  filterOf: (conditions) => `Filtro (${formatNumber(conditions)})`,
  filterJson: "Filtro (JSON)",
  filterHelp:
    "Solo se encuentran pasajes cuyos metadatos cumplen todas las condiciones. Los números, true y false se comparan como tales; entre comillas se comparan como texto.",
  asFields: "Campos",
  asJson: "JSON",
  filterAs: "Escribir el filtro como",
  condition: (number) => `Condición ${number}`,
  field: "Metadatos",
  operator: "Operador",
  operators: {
    $eq: "es",
    $ne: "no es",
    $in: "es uno de",
    $nin: "no es ninguno de",
    $gt: "mayor que",
    $gte: "al menos",
    $lt: "menor que",
    $lte: "como máximo",
    present: "está presente",
    absent: "falta",
  },
  value: "Valor",
  valuesPlaceholder: "uno, dos, tres",
  addCondition: "Agregar una condición",
  removeCondition: (number) => `Quitar la condición ${number}`,
  jsonWrong: "El filtro debe ser un objeto JSON.",
};
