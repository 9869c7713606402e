import type { Areas } from "../areas.ts";
import { counted } from "./plural.ts";

export const newAgent: Areas["newAgent"] = {
  title: "Nouvel agent",
  summary: "Partir d’un flux qui fonctionne et l’adapter, ou apporter le sien.",
  blank: "Vide",
  blankText: "Un seul modèle qui répond. Les étapes sont à ajouter.",
  import: "Importer",
  importText:
    "Un fichier ou du texte collé : Weft, AgentFlow V2, chatflows classiques, flux multi-agents, Microsoft Foundry, OpenAI Agent Builder.",
  templates: "Templates",
  search: "Rechercher un template",
  category: "Catégorie",
  all: "Toutes",
  categories: {
    support: "Assistance",
    research: "Recherche",
    data: "Données",
    content: "Contenu",
    operations: "Opérations",
  },
  needs: "Nécessite",
  picture: (steps) => `Image d’un flux de ${counted(steps, "étape", "étapes")}`,
  count: (count) => counted(count, "template", "templates"),
  name: "Nom",
  blankName: "Agent sans nom",
  model: "Modèle pour toutes les étapes",
  otherModel: "Changer de modèle",
  address: "Adresse de base, sans le chemin",
  later: "Laisser vide ce qui manque encore. L’éditeur en donne la liste.",
  submit: "Créer et ouvrir",
};
