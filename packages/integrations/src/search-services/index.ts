import { brave } from "./brave.ts";
import { exa } from "./exa.ts";
import { google } from "./google.ts";
import type { SearchProvider } from "./search-provider.ts";
import { searchapi } from "./searchapi.ts";
import { searxng } from "./searxng.ts";
import { serpapi } from "./serpapi.ts";
import { serper } from "./serper.ts";
import { tavily } from "./tavily.ts";

export type { SearchProvider, SearchResult } from "./search-provider.ts";

/** Every web search service by its name in flows. A new one is one file and one line here. */
export const searchProviders = {
  tavily,
  brave,
  serper,
  searxng,
  google,
  serpapi,
  searchapi,
  exa,
} as const satisfies Record<string, SearchProvider>;
