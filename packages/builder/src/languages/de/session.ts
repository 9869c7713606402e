import type { Areas } from "../areas.ts";

export const session: Areas["session"] = {
  signInTitle: "Bei Weft anmelden",
  signInButton: "Anmelden",
  email: "E-Mail",
  password: "Passwort",
  forgotten: (command) => `Passwort vergessen? Wer den Server betreibt, kann ein neues mit ${command} setzen.`,

  firstTitle: "Das erste Konto anlegen",
  firstText: "Dieser Server hat noch keine Konten. Zum Anmelden das erste anlegen.",
  firstAddress: (address) =>
    `Die einmalige Adresse öffnen, die der Server beim Start ausgegeben hat. Sie beginnt mit ${address} und steht im Terminal, in dem npm start läuft, oder im Protokoll des Containers (docker compose logs).`,
  firstEnvironment:
    "Oder den Server mit ADMIN_EMAIL und ADMIN_PASSWORD starten, dann wird das Konto automatisch angelegt.",
  firstToken: "Token aus dieser Adresse eingeben",

  setUpTitle: "Konto anlegen",
  setUpText: "Dies ist das erste Konto. Es hat vollen Zugriff auf den Server.",
  setUpButton: "Konto anlegen",
  yourName: "Name",
  newPassword: "Passwort",
  passwordHint: "Mindestens 8 Zeichen. Einige zufällige Wörter sind leicht zu merken und schwer zu erraten.",
  token: "Einmal-Token",
  tokenHint: "Der Teil nach dem # in der Adresse, die der Server ausgibt, wenn er ohne Konto startet.",

  welcomeTitle: "Welches Modell soll antworten?",
  welcomeText:
    "Agenten verwenden es, wenn sie kein anderes Modell angeben. Unter Modelle lässt es sich jederzeit ändern.",
  connect: "Verbinden und Demo öffnen",
  or: "oder",
  rehearse: "Ohne Schlüssel ausprobieren",
  rehearsalTitle: "Das Probemodell ist eingebaut, kostenlos und keine KI.",
  rehearsalText:
    "Es folgt festen Regeln. Damit lässt sich sehen, wie Agenten Tools aufrufen; jede Antwort sagt, dass sie nur eine Probe ist.",
  connectedTitle: "Modell verbunden",
  connectedText: (model) => `Flows verwenden ${model}, wenn sie kein anderes Modell angeben.`,
  openDemo: "Demo-Agenten öffnen",
  skip: "Zu den Agenten",
};
