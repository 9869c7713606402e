import { toCredential } from "../models/to-model-settings.ts";
import { present } from "../node-converter.ts";
import type { ToolConverter } from "./tool-converter.ts";

export const calculator: ToolConverter = () => ({ type: "calculator", config: {} });

export const currentDateTime: ToolConverter = () => ({ type: "current-date-time", config: {} });

/** The stored tool itself does not travel with the flow: it is found by its id. */
export const customTool: ToolConverter = ({ settings, report }) => {
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

export const codeInterpreter: ToolConverter = ({ name, report }) => {
  report.warn(
    "tool-code-language",
    `Its tool ${name} ran Python; here the model writes JavaScript, in a sandbox without network. Check what it is used for.`,
  );
  return { type: "code-interpreter", config: {} };
};

export const chatflowTool = convertAgentTool("selectedChatflow");
export const agentAsTool = convertAgentTool("selectedAgentflow");

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
