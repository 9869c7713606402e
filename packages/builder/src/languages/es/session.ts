import type { Areas } from "../areas.ts";

export const session: Areas["session"] = {
  signInTitle: "Iniciar sesión en Weft",
  signInButton: "Iniciar sesión",
  email: "Correo electrónico",
  password: "Contraseña",
  forgotten: (command) => `¿Contraseña olvidada? Quien administra el servidor puede establecer otra con ${command}.`,

  firstTitle: "Crear la primera cuenta",
  firstText: "Este servidor aún no tiene cuentas. Crear la primera para iniciar sesión.",
  firstAddress: (address) =>
    `Abrir la dirección de un solo uso que el servidor mostró al arrancar. Empieza por ${address} y está en la terminal donde se ejecuta npm start o en el registro del contenedor (docker compose logs).`,
  firstEnvironment:
    "También se puede arrancar el servidor con ADMIN_EMAIL y ADMIN_PASSWORD para que cree la cuenta automáticamente.",
  firstToken: "Introducir el token de esa dirección",

  setUpTitle: "Crear la cuenta",
  setUpText: "Es la primera cuenta. Tiene acceso completo al servidor.",
  setUpButton: "Crear cuenta",
  yourName: "Nombre",
  newPassword: "Contraseña",
  passwordHint: "Al menos 8 caracteres. Unas pocas palabras al azar son fáciles de recordar y difíciles de adivinar.",
  token: "Token de un solo uso",
  tokenHint: "La parte que sigue a # en la dirección que el servidor muestra al arrancar sin cuentas.",

  welcomeTitle: "¿Qué modelo debe responder?",
  welcomeText: "Los agentes lo usan si no indican otro. Se puede cambiar en cualquier momento en Modelos.",
  connect: "Conectar y abrir la demostración",
  or: "o",
  rehearse: "Probar sin clave",
  rehearsalTitle: "El modelo de ensayo viene incluido, es gratuito y no es una IA.",
  rehearsalText:
    "Sigue reglas fijas. Sirve para ver cómo los agentes llaman a herramientas; cada respuesta indica que es solo un ensayo.",
  connectedTitle: "Modelo conectado",
  connectedText: (model) => `Los flujos usan ${model} si no indican otro modelo.`,
  openDemo: "Abrir el agente de demostración",
  skip: "Ir a los agentes",
};
