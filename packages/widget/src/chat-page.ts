import Chatbot from "./main.ts";

/** The page of one agent: `/chat/{id}`. */
const [, , chatflowid = ""] = location.pathname.split("/");

const sheet = new CSSStyleSheet();
sheet.replaceSync("html, body { height: 100dvh; margin: 0; } flowise-fullchatbot { height: 100dvh; }");
document.adoptedStyleSheets = [sheet];

Chatbot.initFull({ chatflowid: decodeURIComponent(chatflowid), apiHost: location.origin });
// The chat knows which language it speaks.
document.documentElement.lang = document.querySelector<HTMLElement>("flowise-fullchatbot")?.lang || "en";
