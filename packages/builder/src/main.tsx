import "./fonts.css";
import "./global.css";
import "@mantine/core/styles.layer.css";
import "@mantine/notifications/styles.layer.css";
import { type DescribedModule, languageTag, type MessageModule, startLanguage } from "./languages/index.ts";

async function start() {
  await startLanguage(
    import.meta.glob<MessageModule>(["../messages/*.json", "!../messages/en.json"]),
    import.meta.glob<DescribedModule>(["../messages/described/*.json", "!../messages/described/*.gen.json"]),
  );
  document.documentElement.lang = languageTag();
  // Imported when the language is there, because modules read their texts once. index.html preloads it.
  const { renderApp } = await import("./app.tsx");
  renderApp();
}

void start();
