import { agentAsTool, chatflowTool } from "./agent-tool.ts";
import { customMcp } from "./mcp-tool.ts";
import { openApiToolkit } from "./openapi-toolkit.ts";
import { requestsDelete, requestsGet, requestsPost, requestsPut } from "./request-tool.ts";
import { calculator, codeInterpreter, currentDateTime, customTool } from "./simple-tools.ts";
import type { ToolConverter } from "./tool-converter.ts";
import { brave, searxng, serper, tavily } from "./web-search.ts";

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
    ChatflowTool: chatflowTool,
    agentAsTool,
    customMCP: customMcp,
  }),
);

const search = "Choose Web search with Tavily, Brave, Serper or SearXNG instead.";

/** Tool components without a counterpart, with what to use instead. */
export const otherTools: ReadonlyMap<string, string> = new Map(
  Object.entries({
    googleCustomSearch: search,
    serpAPI: search,
    searchAPI: search,
    exaSearch: search,
    retrieverTool: "Add the document store to the agent's knowledge.",
  }),
);
