import { present } from "../node-converter.ts";
import { toCredential } from "../to-credential.ts";
import type { ToolConverter } from "./tool-converter.ts";

export const tavily = convertSearch("tavily");
export const brave = convertSearch("brave");
export const serper = convertSearch("serper");
export const searxng = convertSearch("searxng");
export const google = convertSearch("google");

function convertSearch(provider: "tavily" | "brave" | "serper" | "searxng" | "google"): ToolConverter {
  return ({ name, settings, report }) => {
    const credential = toCredential(settings);
    if (credential === undefined && provider !== "searxng") {
      report.refuse(
        "tool-credential-missing",
        `Its tool ${name} has no credential: exports leave them out. Choose one with the key of the search service.`,
      );
    }
    const results = settings.number("maxResults");
    const config = {
      provider,
      credential,
      baseUrl: (provider === "searxng" && settings.text("apiBase").trim()) || undefined,
      maxResults: results === undefined ? undefined : Math.min(20, Math.max(1, Math.floor(results))),
    };
    return { type: "web-search", config: present(config) };
  };
}
