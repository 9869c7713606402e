import type { Areas } from "../areas.ts";
import { formatList } from "../index.ts";
import { counted, plural } from "./plural.ts";

export const imports: Areas["import"] = {
  title: "Importer un agent",
  back: "Agents",
  files: "Fichiers",
  text: "Déposer ici les fichiers d’un agent : un flux de Weft ou AgentFlow V2, un chatflow classique, un flux multi-agents de Flowise, un workflow Microsoft Foundry avec ses agents, ou le code exporté par OpenAI Agent Builder.",
  choose: "Choisir des fichiers",
  add: "Ajouter des fichiers",
  paste: "Ou coller le texte d’un fichier",
  remove: (name) => `Retirer ${name}`,
  pasted: "Texte collé",
  tooLarge: (name) => `${name} dépasse 4 Mo, plus que n’importe quel flux. Choisir un autre fichier.`,
  name: "Nom",
  nameHelp: "Le nom de l’agent.",
  fallbackName: "Flux importé",
  several: (count) => `Le fichier contient ${counted(count, "flux", "flux")}`,
  chooseFlow: "En choisir un",
  choices: "Correspondances",
  choicesText:
    "Les fichiers ne donnent que le nom de ces éléments. Indiquer à quoi ils correspondent sur ce serveur, maintenant ou plus tard dans l’éditeur.",
  missingText:
    "Le flux a besoin de ces éléments, que ce serveur n’a pas tels quels. Choisir maintenant ou plus tard dans l’éditeur.",
  kinds: {
    model: (name) => `Modèle à la place de ${name}`,
    agent: (name) => `Agent « ${name} »`,
    "document-store": (name) => `Base documentaire à la place de ${name}`,
    credential: (name) => `Identifiants à la place de ${name}`,
  },
  defaultModels: (count) => plural(count, "Utiliser le modèle par défaut", "Utiliser le modèle par défaut pour tous"),
  secrets: "Secrets",
  secretsText:
    "Les fichiers contiennent ces secrets. Ils sont stockés chiffrés comme identifiants et n’entrent jamais dans le flux. Les remplacer chez leur fournisseur : quiconque a eu les fichiers a pu les lire.",
  sentTo: (host) => `envoyé uniquement à ${host}`,
  findings: "À savoir",
  counts: ({ exact, approximate, refused }) =>
    `${formatList([
      counted(exact, "étape convertie à l’identique", "étapes converties à l’identique"),
      ...(approximate > 0 ? [`${approximate} avec remarque`] : []),
      ...(refused > 0 ? [`${refused} à vérifier`] : []),
    ])}.`,
  submit: "Importer",
  unread: "Impossible de lire ces fichiers",
  empty: "Le flux apparaît ici avant tout enregistrement.",
};
