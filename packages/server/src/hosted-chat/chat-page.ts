import { hash } from "node:crypto";

/** The HTML page of a chat: the client renders everything, and reads the agent from the address. */
export function toChatPage(title: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content" />
    <meta name="color-scheme" content="light dark" />
    <meta name="robots" content="noindex" />
    <title>${escapeHtml(title)}</title>
    <link rel="icon" href="/favicon.svg" />
    <link rel="modulepreload" href="/widget.js" />
    <script type="module" src="/chat-page.js"></script>
  </head>
  <body>
    <main>
      <flowise-fullchatbot></flowise-fullchatbot>
      <noscript>This chat needs JavaScript.</noscript>
    </main>
  </body>
</html>
`;
}

const noticeStyle =
  "body{margin:16vh auto;max-width:30rem;padding:0 1.5rem;font:1rem/1.6 system-ui,sans-serif}h1{font-size:1.25rem}";

/** The content security policy source for the style of a notice. */
export const noticeStyleSource = `'sha256-${hash("sha256", noticeStyle, "base64")}'`;

/** The same answer for missing agents and agents that are not for visitors. */
export const unavailablePage = toNotice({
  title: "Chat not available",
  text: "This chat does not exist, or its owner does not share it. Check the link, or ask whoever gave it to you.",
});

export const notBuiltPage = toNotice({
  title: "The chat is not built yet",
  text: "Stop the server and start it with npm start, which builds the chat when it is missing; or run npm run builder.",
});

function toNotice({ title, text }: { title: string; text: string }): string {
  return `<!doctype html>
<html lang="en">
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

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
