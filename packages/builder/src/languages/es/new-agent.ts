import type { Areas } from "../areas.ts";
import { counted } from "./plural.ts";

export const newAgent: Areas["newAgent"] = {
  title: "Nuevo agente",
  summary: "Partir de un flujo que funciona y adaptarlo, o traer uno propio.",
  blank: "En blanco",
  blankText: "Un modelo que responde. Los pasos se agregan a mano.",
  import: "Importar",
  importText:
    "Un archivo o texto pegado: Weft, AgentFlow V2, chatflows clásicos, flujos multiagente, Microsoft Foundry, OpenAI Agent Builder.",
  templates: "Plantillas",
  search: "Buscar plantillas",
  category: "Categoría",
  all: "Todas",
  categories: {
    support: "Soporte",
    research: "Investigación",
    data: "Datos",
    content: "Contenido",
    operations: "Operaciones",
  },
  needs: "Requiere",
  picture: (steps) => `Imagen de un flujo con ${counted(steps, "paso", "pasos")}`,
  count: (count) => counted(count, "plantilla", "plantillas"),
  name: "Nombre",
  blankName: "Agente sin título",
  model: "Modelo para todos los pasos",
  otherModel: "Cambiar modelo",
  address: "URL base, sin la ruta",
  later: "Dejar vacío lo que aún no se tenga. El editor lo indica.",
  submit: "Crear y abrir",
};
