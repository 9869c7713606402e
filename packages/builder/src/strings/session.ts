export const sessionStrings = {
  signInTitle: "Sign in to Weft",
  signInButton: "Sign in",
  email: "E-mail",
  password: "Password",
  forgotten: "Forgotten your password? Whoever runs the server sets a new one with",
  resetCommand: "npm run reset-password",

  firstTitle: "Create the first account",
  firstText: "This server has no account yet, so nobody can sign in.",
  firstAddress: "Open the one-time address that the server printed when it started. It begins with",
  firstWhere: "You find it in the terminal of npm start, or in the log of the container (docker compose logs).",
  firstEnvironment:
    "Or start the server with ADMIN_EMAIL and ADMIN_PASSWORD set: the account then exists from the start.",
  firstToken: "I have the token of that address",

  setUpTitle: "Create your account",
  setUpText: "You are the first here. This account may do everything on this server.",
  setUpButton: "Create account",
  yourName: "Your name",
  newPassword: "Password",
  passwordHint: "At least 8 characters. A few words in a row are easy to remember and hard to guess.",
  token: "One-time token",
  tokenHint: "The server prints it when it starts without an account: the part of the address behind the #.",

  welcomeTitle: "Which model should answer?",
  welcomeText: "Agents use it where nothing else is chosen. It can be changed at any time under Models.",
  connect: "Connect and open the demo",
  or: "or",
  rehearse: "Try it without a key",
  rehearsalTitle: "The rehearsal model is built in, free, and not an AI.",
  rehearsalText:
    "It follows fixed rules: good enough to see agents call tools, and its answers always say that it is only a rehearsal.",
  connectedTitle: "A model is connected",
  connectedText: (model: string) => `${model} answers wherever a flow names no other model.`,
  openDemo: "Open the demo agent",
  skip: "Go to the agents",
} as const;
