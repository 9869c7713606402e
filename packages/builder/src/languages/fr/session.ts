import type { Areas } from "../areas.ts";

export const session: Areas["session"] = {
  signInTitle: "Se connecter à Weft",
  signInButton: "Se connecter",
  email: "E-mail",
  password: "Mot de passe",
  forgotten: (command) =>
    `Mot de passe oublié ? L’administrateur du serveur peut en définir un nouveau avec ${command}.`,

  firstTitle: "Créer le premier compte",
  firstText: "Ce serveur n’a encore aucun compte. Créer le premier pour se connecter.",
  firstAddress: (address) =>
    `Ouvrir l’adresse à usage unique que le serveur a affichée au démarrage. Elle commence par ${address}. Elle figure dans le terminal où tourne npm start, ou dans le journal du conteneur (docker compose logs).`,
  firstEnvironment: "Ou démarrer le serveur avec ADMIN_EMAIL et ADMIN_PASSWORD pour créer le compte automatiquement.",
  firstToken: "Saisir le jeton de cette adresse",

  setUpTitle: "Créer un compte",
  setUpText: "C’est le premier compte. Il a un accès complet au serveur.",
  setUpButton: "Créer le compte",
  yourName: "Nom",
  newPassword: "Mot de passe",
  passwordHint: "8 caractères au minimum. Quelques mots au hasard sont faciles à retenir et difficiles à deviner.",
  token: "Jeton à usage unique",
  tokenHint: "La partie après le # dans l’adresse que le serveur affiche quand il démarre sans compte.",

  welcomeTitle: "Quel modèle doit répondre ?",
  welcomeText:
    "Les agents l’utilisent sauf s’ils indiquent un autre modèle. Il peut être changé à tout moment dans Modèles.",
  connect: "Connecter et ouvrir la démo",
  or: "ou",
  rehearse: "Essayer sans clé",
  rehearsalTitle: "Le modèle d’essai est intégré et gratuit, et ce n’est pas une IA.",
  rehearsalText:
    "Il suit des règles fixes. Il permet de voir les agents appeler des outils ; chaque réponse précise qu’il ne s’agit que d’un essai.",
  connectedTitle: "Modèle connecté",
  connectedText: (model) => `Les flux utilisent ${model} sauf s’ils indiquent un autre modèle.`,
  openDemo: "Ouvrir l’agent de démo",
  skip: "Voir les agents",
};
