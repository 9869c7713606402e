import type { Areas } from "../areas.ts";
import { formatList } from "../index.ts";

export const transfer: Areas["transfer"] = {
  title: "Export et import",
  text: "Transfère agents, outils, variables, assistants et bases documentaires entre installations dans un seul fichier. Les valeurs des identifiants, les clés API, les documents, les chats et les exécutions restent ici.",
  withVersions: "Inclure les versions antérieures des agents",
  download: "Télécharger l’export",
  fileName: (isoDay) => `weft-export-${isoDay}.json`,
  choose: "Choisir un fichier d’export",
  notJson: (name) => `${name} n’est pas un JSON valide. Choisir un fichier téléchargé comme export.`,
  checking: "Vérification du fichier…",
  preview: (name) => `Effet de l’import de ${name}. Rien n’a encore été modifié.`,
  nothingToDo: (name) => `L’import de ${name} ne changerait rien ici.`,
  imported: (name) => `Import de ${name} terminé.`,
  report: "Éléments par type",
  mode: "Si un élément diffère de celui d’ici",
  modes: { skip: "Garder celui d’ici", overwrite: "Remplacer par celui du fichier" },
  kind: "Type",
  kinds: {
    agents: "Agents",
    assistants: "Assistants",
    tools: "Outils",
    variables: "Variables",
    documentStores: "Bases documentaires",
  },
  outcomes: { added: "Ajoutés", unchanged: "Inchangés", overwritten: "Remplacés", skipped: "Gardés tels quels" },
  named: (outcome, names) => `${outcome} : ${formatList(names)}`,
  next: "Étapes suivantes",
  submit: "Importer",
  cancel: "Annuler",
  done: "Terminé",
};
