import type { Tool, ToolContext, ToolResult } from "@weft/engine/ports/tool";
import { parseJson, readCredentialField } from "@weft/schema";
import { z } from "zod";
import { callHttp } from "./calls/call-http.ts";
import { callFields } from "./calls/call-settings.ts";
import { toPlainText } from "./calls/plain-text.ts";
import { defineIntegration } from "./define-integration.ts";
import { type SearchProvider, type SearchResult, searchProviders } from "./search-services.ts";
import { invalidTool } from "./tool-name.ts";

const toolName = "web_search";
const maxBytes = 1_048_576;
const maxSnippetCharacters = 600;
const maxQueryCharacters = 400;

const providerHosts = Object.fromEntries(
  Object.entries<SearchProvider>(searchProviders).map(([name, { baseUrl }]) => [
    name,
    baseUrl === undefined ? [] : [new URL(baseUrl).host],
  ]),
);

const config = z.object({
  provider: z
    .enum(Object.keys(searchProviders) as (keyof typeof searchProviders)[])
    .default("tavily")
    .meta({
      title: "Search service",
      labels: {
        tavily: "Tavily",
        brave: "Brave",
        serper: "Serper",
        searxng: "SearXNG",
        google: "Google Programmable Search",
        serpapi: "SerpApi",
        searchapi: "SearchApi",
        exa: "Exa",
      },
    }),
  credential: z
    .string()
    .max(100)
    .optional()
    .meta({
      title: "Credential",
      help: "The API key of the search service; for Google, also the id of the search engine. Not needed for SearXNG.",
      widget: "credential",
      ref: "credential",
      goesTo: [{ address: "baseUrl" }, { by: "provider", otherwise: "tavily", hosts: providerHosts }],
    }),
  baseUrl: z
    .string()
    .trim()
    .max(2_000)
    .optional()
    .meta({
      title: "Address",
      ref: "address",
      help: "Address of your SearXNG instance.",
      placeholder: "http://localhost:8080",
      showWhen: { field: "provider", is: ["searxng"] },
    }),
  maxResults: z.number().int().min(1).max(20).default(5).meta({ title: "Most results" }),
  timeoutMs: callFields.timeoutMs,
});
type WebSearchConfig = z.infer<typeof config>;

/** A service whose operator decides whether it needs a key. */
const anyKey = { name: "apiKey", aliases: ["token", "searxngApiKey"] };

/** Lets the model search the web through a configurable service. */
export const webSearch = defineIntegration({
  type: "web-search",
  title: "Web search",
  summary: "Searches the web with Tavily, Brave, Google, SearXNG and other services.",
  group: "built-in",
  icon: "search",
  credentialTypes: Object.values<SearchProvider>(searchProviders).flatMap(({ credential }) => credential ?? []),
  config,
  async build(settings, context) {
    const provider: SearchProvider = searchProviders[settings.provider];
    const { credential } = settings;
    const fields = credential ? await context.readCredential(credential) : {};
    const [keyField = anyKey, engineField] = provider.credential?.fields ?? [];
    const apiKey = readCredentialField(keyField, fields) ?? "";
    const engineId = (engineField && readCredentialField(engineField, fields)) ?? "";
    if (provider.credential !== undefined && apiKey === "") {
      throw invalidTool(toolName, `${settings.provider} needs a credential with a field apiKey. Choose or create one.`);
    }
    if (engineField !== undefined && engineId === "") {
      throw invalidTool(
        toolName,
        `${settings.provider} needs a credential with a field engineId, the id of the search engine. Add it.`,
      );
    }
    return [createTool({ provider, apiKey, engineId, baseUrl: readBaseUrl(settings, provider), settings })];
  },
});

type Search = {
  provider: SearchProvider;
  apiKey: string;
  engineId: string;
  baseUrl: string;
  settings: WebSearchConfig;
};

function readBaseUrl({ baseUrl, provider: name }: WebSearchConfig, provider: SearchProvider): string {
  const given = baseUrl || provider.baseUrl;
  if (given === undefined) throw invalidTool(toolName, `${name} needs an address, for example http://localhost:8080.`);
  const url = URL.parse(given);
  if (url !== null && /^https?:$/.test(url.protocol) && url.search === "") return given.replace(/(?<!\/)\/+$/, "");
  throw invalidTool(toolName, "its address is not an absolute http or https address without a query. Correct it.");
}

function createTool(search: Search): Tool {
  return {
    name: toolName,
    description: "Searches the web. Returns titles, addresses and excerpts of the best pages.",
    parameters: {
      type: "object",
      properties: { query: { type: "string", minLength: 1, maxLength: maxQueryCharacters } },
      required: ["query"],
      additionalProperties: false,
    },
    kind: "read",
    effect: "read",
    call: ({ query }, context) => runSearch(search, String(query), context),
  };
}

async function runSearch(
  { provider, apiKey, engineId, baseUrl, settings }: Search,
  query: string,
  context: ToolContext,
): Promise<ToolResult> {
  const { maxResults, timeoutMs } = settings;
  const call = provider.toCall(baseUrl, { query, count: maxResults, apiKey, engineId });
  const policy = { kind: "read", timeoutMs, maxBytes, maxCharacters: maxBytes, retries: 2 } as const;
  const answer = await callHttp(
    { shownUrl: call.url, ...call, headers: { accept: "application/json", ...call.headers } },
    policy,
    context,
  );
  if (answer.isError) return { ...answer, content: answer.content.slice(0, 2_000) };
  const results = provider.parse(parseJson(answer.content))?.slice(0, maxResults);
  if (results === undefined) {
    return { ...answer, content: "The search service answered something else than search results.", isError: true };
  }
  const content = results.length === 0 ? "Nothing was found. Try other words." : results.map(toParagraph).join("\n\n");
  return { ...answer, content };
}

function toParagraph({ title, url, snippet }: SearchResult, index: number): string {
  return [`${index + 1}. ${toPlainText(title)}`, url, toPlainText(snippet).slice(0, maxSnippetCharacters)]
    .filter((line) => line !== "")
    .join("\n");
}
