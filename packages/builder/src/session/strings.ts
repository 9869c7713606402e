import { localized } from "../languages/index.ts";

export const sessionStrings = localized("session", {
  signInTitle: "Sign in to Weft",
  signInButton: "Sign in",
  email: "E-mail",
  password: "Password",
  forgotten: (command: string) => `Forgot your password? The server's operator can set a new one with ${command}.`,

  firstTitle: "Create the first account",
  firstText: "This server has no accounts yet. Create the first one to sign in.",
  firstAddress: (address: string) =>
    `Open the one-time address that the server printed at startup. It begins with ${address}. Find it in the terminal running npm start, or in the container log (docker compose logs).`,
  firstEnvironment:
    "Or set ADMIN_EMAIL and ADMIN_PASSWORD when you start the server to create the account automatically.",
  firstToken: "Enter the token from that address",

  setUpTitle: "Create your account",
  setUpText: "You are the first user. This account has full access to the server.",
  setUpButton: "Create account",
  yourName: "Your name",
  newPassword: "Password",
  passwordHint: "At least 8 characters. A few random words are easy to remember and hard to guess.",
  token: "One-time token",
  tokenHint: "The part after the # in the address that the server prints when it starts without an account.",

  welcomeTitle: "Which model should answer?",
  welcomeText: "Agents use it unless they specify another model. You can change it any time under Models.",
  connect: "Connect and open the demo",
  or: "or",
  rehearse: "Try it without a key",
  rehearsalTitle: "The rehearsal model is built in, free, and not an AI.",
  rehearsalText:
    "It follows fixed rules. Use it to see agents call tools; every answer says that it is only a rehearsal.",
  connectedTitle: "Model connected",
  connectedText: (model: string) => `Flows use ${model} unless they specify another model.`,
  openDemo: "Open the demo agent",
  skip: "Go to agents",
});
