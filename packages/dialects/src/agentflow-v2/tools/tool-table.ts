import { customMcp, namedMcp } from "./mcp-tool.ts";
import { openApiToolkit } from "./openapi-toolkit.ts";
import { requestsDelete, requestsGet, requestsPost, requestsPut } from "./request-tool.ts";
import {
  agentAsTool,
  brave,
  calculator,
  chatflowTool,
  codeInterpreter,
  currentDateTime,
  customTool,
  google,
  searxng,
  serper,
  tavily,
} from "./simple-tools.ts";
import type { ToolConverter } from "./tool-converter.ts";

/** Tool components by name, with the names that earlier versions used. */
export const toolTable: ReadonlyMap<string, ToolConverter> = new Map(
  Object.entries({
    requestsGet,
    requestsPost,
    requestsPut,
    requestsDelete,
    openAPIToolkit: openApiToolkit,
    openApiToolkit,
    customTool,
    calculator,
    currentDateTime,
    codeInterpreterE2B: codeInterpreter,
    e2b: codeInterpreter,
    pythonInterpreter: codeInterpreter,
    tavilyAPI: tavily,
    braveSearchAPI: brave,
    serper,
    searXNG: searxng,
    googleCustomSearch: google,
    ChatflowTool: chatflowTool,
    agentAsTool,
    customMCP: customMcp,
    slackMCP: namedMcp("slack"),
    braveSearchMCP: namedMcp("brave-search"),
    postgreSQLMCP: namedMcp("postgres"),
    sequentialThinkingMCP: namedMcp("sequential-thinking"),
  }),
);

const search = "Choose Web search with Tavily, Brave, Serper, SearXNG or Google instead.";

/** Tool components without a counterpart, with what to use instead. */
export const otherTools: ReadonlyMap<string, string> = new Map(
  Object.entries({
    serpAPI: search,
    searchAPI: search,
    exaSearch: search,
    retrieverTool: "Add the document store to the agent's knowledge.",
  }),
);
