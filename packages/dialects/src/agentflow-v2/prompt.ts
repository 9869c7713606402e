import type { JsonObject } from "@weft/schema";
import type { NodeScope } from "./node-converter.ts";
import type { Settings } from "./settings.ts";

/** `llm` or `agent`: the inputs of both have the same names behind it. */
export type PromptPrefix = "llm" | "agent";

/** What a model node tells and asks its model. */
export function toPromptConfig(scope: NodeScope, prefix: PromptPrefix): JsonObject {
  const messages = toMessages(scope.settings, `${prefix}Messages`);
  return {
    messages,
    prompt: toPrompt(scope, prefix, messages),
    memory: toMemory(scope.settings, prefix),
    responseRole: toResponseRole(scope.settings, prefix),
  };
}

/** As whose words later models see an answer: the user's, unless the node says otherwise. */
export function toResponseRole(settings: Settings, prefix: string): "user" | "assistant" {
  return settings.text(`${prefix}ReturnResponseAs`) === "assistantMessage" ? "assistant" : "user";
}

/**
 * Which earlier messages a node remembers: none when its switch is off or missing. Their window counts turns, of two
 * messages each.
 */
export function toMemory(settings: Settings, prefix: string): JsonObject {
  if (!settings.flag(`${prefix}EnableMemory`)) return { type: "off" };
  switch (settings.text(`${prefix}MemoryType`)) {
    case "windowSize": {
      const turns = settings.number(`${prefix}MemoryWindowSize`) ?? 20;
      return { type: "window", size: Math.min(1_000, Math.max(1, Math.round(turns * 2))) };
    }
    case "conversationSummary":
      return { type: "summary", maxTokens: 0 };
    case "conversationSummaryBuffer": {
      const tokens = settings.number(`${prefix}MemoryMaxTokenLimit`) ?? 2_000;
      return { type: "summary", maxTokens: Math.min(1_000_000, Math.max(0, Math.round(tokens))) };
    }
    default:
      return { type: "all" };
  }
}

function toMessages(settings: Settings, key: string): JsonObject[] {
  return settings
    .rows(key)
    .map((row) => ({ role: toRole(row.text("role")), content: row.template("content") }))
    .filter(({ content }) => content !== "");
}

function toRole(role: string): string {
  if (role === "system" || role === "developer") return "system";
  return role === "assistant" ? "assistant" : "user";
}

/**
 * The first model of a run hears what the user said, and behind it the node's own message. One that comes later answers
 * its own message, or else what the models before it said: with memory that stands at the end of the conversation as
 * the user's words.
 */
function toPrompt({ node, settings, flow }: NodeScope, prefix: PromptPrefix, messages: JsonObject[]): string {
  const hasMemory = settings.flag(`${prefix}EnableMemory`);
  const own = hasMemory ? settings.template(`${prefix}UserMessage`) : "";
  if (!hasMemory && messages.some(({ role }) => role === "user")) return "";
  const speakers = flow.speakersBefore(node.id);
  if (speakers.length === 0) {
    const heard = flow.inputTemplate;
    if (own === "") return heard;
    return own.includes(heard) ? own : `${heard}\n\n${own}`;
  }
  const isHeard = hasMemory && speakers.every(({ role }) => role === "user");
  return own !== "" || isHeard ? own : speakers.map(({ id }) => `{{ ${id} }}`).join("\n\n");
}
