import { hash } from "node:crypto";

const noticeStyle =
  "body{margin:16vh auto;max-width:30rem;padding:0 1.5rem;font:1rem/1.6 Inter,ui-sans-serif,system-ui,sans-serif}h1{font-size:1.25rem}";

/** The content security policy source for the style of a notice. */
export const noticeStyleSource = `'sha256-${hash("sha256", noticeStyle, "base64")}'`;

type Notice = { title: string; text: string };

const unavailable = {
  en: {
    title: "Chat not available",
    text: "This chat does not exist or is not shared. Check the link, or ask the person who sent it to you.",
  },
  de: {
    title: "Chat nicht verfügbar",
    text: "Diesen Chat gibt es nicht, oder er ist nicht freigegeben. Bitte den Link prüfen oder bei der Person nachfragen, von der er stammt.",
  },
  fr: {
    title: "Chat indisponible",
    text: "Ce chat n’existe pas ou n’est pas partagé. Vérifiez le lien, ou adressez-vous à la personne qui vous l’a envoyé.",
  },
  es: {
    title: "Chat no disponible",
    text: "Este chat no existe o no está compartido. Comprueba el enlace o pregunta a la persona que te lo envió.",
  },
} satisfies Record<string, Notice>;

/**
 * The same answer for missing agents and agents that are not for visitors, in the first of their languages that the chat
 * speaks. `acceptLanguage`: of the request.
 */
export function unavailablePage(acceptLanguage: string | null): string {
  const codes = (acceptLanguage ?? "").split(",").map((tag) => tag.trim().slice(0, 2).toLowerCase());
  const known = codes.find((code) => Object.hasOwn(unavailable, code)) ?? "en";
  return toNotice(unavailable[known as keyof typeof unavailable], known);
}

export const notBuiltPage = toNotice({
  title: "The chat is not built yet",
  text: "Stop the server and start it with npm start, which builds the chat when it is missing; or run npm run builder.",
});

function toNotice({ title, text }: Notice, language = "en"): string {
  return `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="robots" content="noindex" />
    <title>${title}</title>
    <style>${noticeStyle}</style>
  </head>
  <body>
    <main>
      <h1>${title}</h1>
      <p>${text}</p>
    </main>
  </body>
</html>
`;
}
