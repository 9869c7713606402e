import { toCredential } from "../models/to-model-settings.ts";
import { present } from "../node-converter.ts";
import type { ToolConverter } from "./tool-converter.ts";

const calculator: ToolConverter = () => ({ type: "calculator", config: {} });

const currentDateTime: ToolConverter = () => ({ type: "current-date-time", config: {} });

/** The stored tool itself does not travel with the flow: it is found by its id. */
const customTool: ToolConverter = ({ settings, report }) => {
  const toolId = settings.text("selectedTool");
  if (toolId === "") {
    report.refuse("tool-missing", "Its custom tool is not chosen. Choose one.");
    return undefined;
  }
  if (settings.flag("returnDirect")) {
    report.warn(
      "tool-return-direct",
      "What its custom tool returns goes to the model, not straight to the user. Say in the instructions that the answer is passed on as it is.",
    );
  }
  const config = {
    toolId,
    name: settings.text("customToolName") || undefined,
    description: settings.text("customToolDesc") || undefined,
  };
  return { type: "custom-tool", config: present(config) };
};

const codeInterpreter: ToolConverter = ({ name, settings, report }) => {
  if (!["", "code_interpreter"].includes(settings.text("toolName"))) {
    report.warn(
      "tool-settings-ignored",
      `These settings of its tool ${name} are not used here: toolName. The model knows it as run_javascript: correct the instructions.`,
    );
  }
  report.warn(
    "tool-code-language",
    `Its tool ${name} ran Python; here the model writes JavaScript, in a sandbox without network. Check what it is used for.`,
  );
  return { type: "code-interpreter", config: {} };
};

/** Another flow that the model may ask. It is asked here, in this process and in the run's own session. */
function convertAgentTool(key: string): ToolConverter {
  return ({ name, settings, report }) => {
    const agentId = settings.text(key);
    if (agentId === "") {
      report.refuse("tool-missing", `The flow that its tool ${name} asks is not chosen. Choose one.`);
      return undefined;
    }
    const unused = ["baseURL", "overrideConfig", "startNewSession", "useQuestionFromChat", "customInput"];
    const set = settings.keys().filter((setting) => unused.includes(setting));
    if (set.length > 0) {
      report.warn(
        "tool-settings-ignored",
        `These settings of its tool ${name} are not used here: ${set.join(", ")}. The flow is one of this server and gets the model's question. Check that this is enough.`,
      );
    }
    const config = {
      agentId,
      name: settings.text("name") || undefined,
      description: settings.text("description") || undefined,
      returnDirect: settings.flag("returnDirect") || undefined,
    };
    return { type: "agent", config: present(config) };
  };
}

/** Settings that Web search has not, by component, with the values that a form gives them. */
const unusedByComponent: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  tavilyAPI: {
    topic: "general",
    searchDepth: "basic",
    chunksPerSource: "3",
    timeRange: "",
    days: "7",
    includeAnswer: "false",
    includeRawContent: "false",
    includeImages: "false",
    includeImageDescriptions: "false",
    includeDomains: "",
    excludeDomains: "",
  },
  exaSearch: {
    type: "",
    useAutoprompt: "false",
    category: "",
    includeDomains: "",
    excludeDomains: "",
    startCrawlDate: "",
    endCrawlDate: "",
    startPublishedDate: "",
    endPublishedDate: "",
  },
  searXNG: {
    toolName: "searxng-search",
    headers: "",
    format: "json",
    categories: "",
    engines: "",
    language: "",
    pageno: "",
    time_range: "",
    safesearch: "",
  },
};

type SearchService = "tavily" | "brave" | "serper" | "searxng" | "google" | "serpapi" | "searchapi" | "exa";

/** `count` is the setting that says how many results there are at most. */
function convertSearch(provider: SearchService, count = "maxResults"): ToolConverter {
  return ({ name, settings, report }) => {
    const credential = toCredential(settings);
    if (credential === undefined && provider !== "searxng") {
      report.refuse(
        "tool-credential-missing",
        `Its tool ${name} has no credential: exports leave them out. Choose one with the key of the search service.`,
        "credential",
      );
    }
    const unused = Object.entries(unusedByComponent[name] ?? {}).filter(
      ([setting, preset]) => !["", preset].includes(settings.text(setting).trim()),
    );
    if (unused.length > 0) {
      const names = unused.map(([setting]) => setting).join(", ");
      report.warn(
        "tool-settings-ignored",
        `These settings of its tool ${name} are not used here: ${names}. Say in the instructions what the agent should search for.`,
      );
    }
    const results = settings.number(count);
    const config = {
      provider,
      credential,
      baseUrl: (provider === "searxng" && settings.text("apiBase").trim()) || undefined,
      maxResults: results === undefined ? undefined : Math.min(20, Math.max(1, Math.floor(results))),
    };
    return { type: "web-search", config: present(config) };
  };
}

/** The model reads pages one at a time and follows links itself; nothing is crawled ahead of it. */
const webScraper: ToolConverter = ({ name, settings, report }) => {
  const pages = settings.number("maxPages") ?? 10;
  const depth = settings.number("maxDepth") ?? 1;
  const seconds = settings.number("timeoutS");
  if (pages !== 1 && (depth !== 0 || settings.text("scrapeMode") === "sitemap")) {
    report.warn(
      "tool-one-page",
      `Its tool ${name} read up to ${pages} pages with one call, ${depth} links deep; here the model reads one page with each call and follows links itself. Say in the instructions how far it should go.`,
    );
  }
  const timeoutMs = seconds === undefined || seconds <= 0 ? undefined : Math.min(600_000, Math.ceil(seconds * 1_000));
  const description = settings.text("description").slice(0, 4_000) || undefined;
  return { type: "web-page", config: present({ description, timeoutMs }) };
};

/** A page was cut into pieces and summed up by a model of its own. */
const webBrowser: ToolConverter = ({ name, report }) => {
  report.warn(
    "tool-page-whole",
    `Its tool ${name} summed up pages with a model of its own; here the agent reads the page itself. If pages are too long, set how many characters of them it sees.`,
  );
  return { type: "web-page", config: { name: "web-browser" } };
};

/** Papers are abstracts here. Errors are results that the model reads, whatever `continueOnFailure` says. */
const arxiv: ToolConverter = ({ name, settings, report }) => {
  if (settings.flag("loadFullContent")) {
    report.warn(
      "tool-abstracts-only",
      `Its tool ${name} read whole papers; here the model reads their abstracts. Give the agent a document store for papers that it must know in full.`,
    );
  }
  const results = settings.number("topKResults");
  const characters = settings.number("docContentCharsMax");
  const config = {
    name: settings.text("arxivName") || undefined,
    description: settings.text("arxivDescription").slice(0, 4_000) || undefined,
    maxResults: results === undefined ? undefined : Math.min(20, Math.max(1, Math.floor(results))),
    maxCharacters: characters === undefined || characters < 1 ? undefined : Math.min(1_000_000, Math.floor(characters)),
  };
  return { type: "arxiv", config: present(config) };
};

/** Tools that need no more than their settings, by component, with the names that earlier versions used. */
export const simpleTools: Readonly<Record<string, ToolConverter>> = {
  customTool,
  calculator,
  currentDateTime,
  codeInterpreterE2B: codeInterpreter,
  e2b: codeInterpreter,
  pythonInterpreter: codeInterpreter,
  tavilyAPI: convertSearch("tavily"),
  braveSearchAPI: convertSearch("brave"),
  serper: convertSearch("serper"),
  searXNG: convertSearch("searxng"),
  googleCustomSearch: convertSearch("google"),
  serpAPI: convertSearch("serpapi"),
  searchAPI: convertSearch("searchapi"),
  exaSearch: convertSearch("exa", "numResults"),
  arxiv,
  webScraperTool: webScraper,
  webBrowser,
  ChatflowTool: convertAgentTool("selectedChatflow"),
  agentAsTool: convertAgentTool("selectedAgentflow"),
};
