import type { JsonObject } from "@weft/schema";
import { toMemory } from "../memory.ts";
import { toModel } from "../models.ts";
import { toPrompt } from "../prompts.ts";
import { exitsBefore } from "../scope.ts";
import { type ClassicTools, toTools } from "../tools.ts";
import { question, toConversation, toSystem, whatUserSays } from "./chains.ts";
import { drawSearch } from "./search.ts";
import { addStep, type StepConverter, type StepScope, textStep, toResponseRole } from "./step.ts";

const helpful = "You are a helpful assistant.";

/** An agent that calls its tools as functions, whatever words the original used for it. */
function agent(toInstructions: (scope: StepScope) => { messages: JsonObject[]; prompt: string }): StepConverter {
  return {
    draw(scope) {
      const config = {
        ...toInstructions(scope),
        ...toAgentConfig(scope, toTools(scope)),
        memory: toMemory(scope, scope.node.name.endsWith("LLM") ? "off" : "missing"),
      };
      return textStep(addStep(scope, { type: "agent", config }));
    },
  };
}

function toAgentConfig(scope: StepScope, { tools, knowledge }: ClassicTools): JsonObject {
  scope.ignore("inputModeration");
  const rounds = scope.settings.number("maxIterations") ?? 15;
  return {
    model: toModel(scope),
    tools,
    knowledge,
    maxRounds: Math.min(100, Math.max(1, Math.floor(rounds))),
    ...toResponseRole(scope),
  };
}

/** Its own instructions, or a prompt whose last message is what the user says. */
function toInstructions(scope: StepScope): { messages: JsonObject[]; prompt: string } {
  const prompt = toPrompt(scope, "chatPromptTemplate");
  if (prompt) {
    scope.ignore("systemMessage");
    return toConversation(scope, prompt);
  }
  return { messages: toSystem(scope.settings.text("systemMessage"), whatUserSays), prompt: question };
}

const toolAgent = agent(toInstructions);

const conversationalAgent = agent(({ settings }) => ({
  messages: toSystem(settings.text("systemMessage") || helpful, whatUserSays),
  prompt: question,
}));

const reactAgent = agent(() => ({ messages: toSystem(helpful), prompt: question }));

/** Paragraphs about the XML that was spoken are left out. */
const xmlAgent = agent(({ settings }) => {
  const spoken =
    /\{(?:tools|chat_history|input|agent_scratchpad)\}|<\/?(?:tool|tool_input|observation|final_answer)>|:\s*$/;
  const kept = settings
    .text("systemMessage")
    // linear: the first line break takes the space up to the last one
    .split(/\n\s*\n/)
    .filter((paragraph) => !spoken.test(paragraph));
  return { messages: toSystem(kept.join("\n\n").trim() || helpful), prompt: question };
});

/** Searches a store before the agent starts, with the question rephrased from the conversation. */
const conversationalRetrievalToolAgent: StepConverter = {
  draw(scope) {
    const memory = toMemory(scope, "missing");
    const { exit, context } = drawSearch(scope, { memory, from: exitsBefore(scope.conversion, scope.node) });
    const config = {
      messages: toSystem(scope.settings.text("systemMessage") || `${helpful}\n\n{context}`, (name) =>
        name === "context" ? context : undefined,
      ),
      prompt: question,
      ...toAgentConfig(scope, toTools(scope)),
      memory,
    };
    return textStep(addStep(scope, { type: "agent", config, from: [exit] }));
  },
};

/** An earlier version, which searched with a tool. */
const conversationalRetrievalAgent: StepConverter = {
  draw: (scope) =>
    (scope.part("vectorStoreRetriever") === undefined ? toolAgent : conversationalRetrievalToolAgent).draw(scope),
};

/** An assistant of this server, under the same id. */
const openAIAssistant: StepConverter = {
  draw(scope) {
    const { settings, report } = scope;
    const agentId = settings.text("selectedAssistant").trim();
    if (agentId === "") report.refuse("assistant-missing", "Its assistant is not chosen. Choose an agent.", "agentId");
    else {
      report.warn(
        "assistant-here",
        "It asks the assistant with the same id on this server, and no longer one that the vendor keeps. Check that it is there, with its files.",
      );
    }
    if (scope.parts("tools").length > 0) {
      report.warn("assistant-tools", "Its tools are not handed to the assistant. Give them to the assistant itself.");
    }
    scope.ignore("inputModeration");
    const config = { agentId, input: question, ...toResponseRole(scope) };
    return textStep(addStep(scope, { type: "execute-flow", config }));
  },
};

export const agents: Readonly<Record<string, StepConverter>> = {
  toolAgent,
  openAIToolAgent: toolAgent,
  openAIFunctionAgent: toolAgent,
  openAIFunctionsAgent: toolAgent,
  mistralAIToolAgent: toolAgent,
  mistralAIFunctionAgent: toolAgent,
  agentExecutor: toolAgent,
  openAIToolAgentLlamaIndex: toolAgent,
  anthropicAgentLlamaIndex: toolAgent,
  conversationalAgent,
  reactAgentChat: reactAgent,
  reactAgentLLM: reactAgent,
  mrklAgentChat: reactAgent,
  mrlkAgentChat: reactAgent,
  mrklAgentLLM: reactAgent,
  mrlkAgentLLM: reactAgent,
  xmlAgent,
  conversationalRetrievalToolAgent,
  conversationalRetrievalAgent,
  openAIAssistant,
};
