import type { Tool, ToolContext, ToolResult } from "@weft/engine/ports/tool";
import { type CredentialType, credentialTypes, parseJson, readCredentialField } from "@weft/schema";
import { z } from "zod";
import { callHttp } from "./calls/call-http.ts";
import { callFields } from "./calls/call-settings.ts";
import { defineIntegration } from "./define-integration.ts";
import { invalidTool } from "./tool-name.ts";

/** One page that was found. */
type SearchResult = { title: string; url: string; snippet: string };

type SearchRequest = { query: string; count: number; apiKey: string; engineId: string };

/** One web search service: how it is asked, and how its answer is read. */
type SearchProvider = {
  /** Undefined: the operator runs the service and says where. */
  readonly baseUrl: string | undefined;
  /**
   * What holds its key, and beside it the id of the search engine where the key's owner made one. Absent: it needs no key,
   * and takes that of any credential.
   */
  readonly credential?: CredentialType;
  toCall(baseUrl: string, request: SearchRequest): SearchCall;
  /** Undefined when the answer is not what the service documents. */
  parse(answer: unknown): SearchResult[] | undefined;
};

type SearchCall = { method: "GET" | "POST"; url: string; headers: Record<string, string>; body?: string };

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");

/** Source: docs.tavily.com, POST /search. */
const tavily: SearchProvider = {
  baseUrl: "https://api.tavily.com",
  credential: credentialTypes.tavilyApi,
  toCall: (baseUrl, { query, count, apiKey }) => ({
    method: "POST",
    url: `${baseUrl}/search`,
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ query, max_results: count }),
  }),
  parse: reader(z.object({ results: z.array(z.object({ title: text, url: z.string(), content: text })) }), (answer) =>
    answer.results.map(({ title, url, content }) => ({ title, url, snippet: content })),
  ),
};

/** Source: api-dashboard.search.brave.com, GET /res/v1/web/search. Without hits the answer has no `web`. */
const brave: SearchProvider = {
  baseUrl: "https://api.search.brave.com",
  credential: credentialTypes.braveSearchApi,
  toCall: (baseUrl, { query, count, apiKey }) => ({
    method: "GET",
    url: `${baseUrl}/res/v1/web/search?${new URLSearchParams({ q: query, count: String(count) })}`,
    headers: { "x-subscription-token": apiKey },
  }),
  parse: reader(
    z.object({
      web: z.object({ results: z.array(z.object({ title: text, url: z.string(), description: text })) }).nullish(),
    }),
    ({ web }) => (web?.results ?? []).map(({ title, url, description }) => ({ title, url, snippet: description })),
  ),
};

/** Source: serper.dev, POST /search. */
const serper: SearchProvider = {
  baseUrl: "https://google.serper.dev",
  credential: credentialTypes.serperApi,
  toCall: (baseUrl, { query, count, apiKey }) => ({
    method: "POST",
    url: `${baseUrl}/search`,
    headers: { "x-api-key": apiKey, "content-type": "application/json" },
    body: JSON.stringify({ q: query, num: count }),
  }),
  parse: reader(z.object({ organic: z.array(z.object({ title: text, link: z.string(), snippet: text })) }), (answer) =>
    answer.organic.map(({ title, link, snippet }) => ({ title, url: link, snippet })),
  ),
};

/** Source: docs.searxng.org, "Search API". The instance must allow the format json. */
const searxng: SearchProvider = {
  baseUrl: undefined,
  toCall: (baseUrl, { query, apiKey }) => ({
    method: "GET",
    url: `${baseUrl}/search?${new URLSearchParams({ q: query, format: "json" })}`,
    headers: apiKey === "" ? {} : { authorization: `Bearer ${apiKey}` },
  }),
  parse: tavily.parse,
};

/**
 * Source: developers.google.com/custom-search/v1, GET /customsearch/v1. Ten results at most; without hits no `items`.
 * The key is a header, so that no address shows it.
 */
const google: SearchProvider = {
  baseUrl: "https://customsearch.googleapis.com",
  credential: credentialTypes.googleCustomSearchApi,
  toCall: (baseUrl, { query, count, apiKey, engineId }) => ({
    method: "GET",
    url: `${baseUrl}/customsearch/v1?${new URLSearchParams({ q: query, cx: engineId, num: String(Math.min(count, 10)) })}`,
    headers: { "x-goog-api-key": apiKey },
  }),
  parse: reader(
    z.object({
      kind: z.literal("customsearch#search"),
      items: z.array(z.object({ title: text, link: z.string(), snippet: text })).nullish(),
    }),
    ({ items }) => (items ?? []).map(({ title, link, snippet }) => ({ title, url: link, snippet })),
  ),
};

export const searchProviders = { tavily, brave, serper, searxng, google } as const satisfies Record<
  string,
  SearchProvider
>;

function reader<T>(schema: z.ZodType<T>, toResults: (answer: T) => SearchResult[]): SearchProvider["parse"] {
  return (answer) => {
    const parsed = schema.safeParse(answer);
    return parsed.success ? toResults(parsed.data) : undefined;
  };
}

const toolName = "web_search";
const maxBytes = 1_048_576;
const maxSnippetCharacters = 600;
const maxQueryCharacters = 400;

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
      },
    }),
  credential: z.string().max(100).optional().meta({
    title: "Credential",
    help: "The API key of the search service; for Google, also the id of the search engine. Not needed for SearXNG.",
    widget: "credential",
  }),
  baseUrl: z
    .string()
    .trim()
    .max(2_000)
    .optional()
    .meta({
      title: "Address",
      help: "Address of your SearXNG instance.",
      placeholder: "http://localhost:8080",
      showWhen: { field: "provider", is: ["searxng"] },
    }),
  maxResults: z.number().int().min(1).max(20).default(5).meta({ title: "Most results" }),
  timeoutMs: callFields.timeoutMs,
});
type WebSearchConfig = z.infer<typeof config>;

/** The key of a service whose operator decides whether it needs one. */
const anyKey = { name: "apiKey", aliases: ["token", "searxngApiKey"] };

/** Lets the model search the web through a service of the operator's choice. */
export const webSearch = defineIntegration({
  type: "web-search",
  title: "Web search",
  summary: "Searches the web with Tavily, Brave, Serper, SearXNG or Google.",
  group: "built-in",
  icon: "search",
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
  if (url !== null && /^https?:$/.test(url.protocol) && url.search === "") return given.replace(/\/+$/, "");
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
    { ...call, headers: { accept: "application/json", ...call.headers }, shownUrl: call.url },
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

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  "#39": "'",
  "#x27": "'",
  nbsp: " ",
};

/** Excerpts come with the tags that mark the words that were found. */
function toPlainText(html: string): string {
  return html
    .replaceAll(/<\/?[a-z][^<>]*>/gi, "")
    .replaceAll(/&(#?\w+);/g, (whole, name: string) => entities[name.toLowerCase()] ?? whole)
    .replaceAll(/\s+/g, " ")
    .trim();
}
