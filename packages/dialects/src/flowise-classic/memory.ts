import type { JsonObject } from "@weft/schema";
import type { ClassicScope } from "./scope.ts";

/** How a component without a memory behaves: it may be designed to remember nothing, or the memory is missing. */
type WithoutMemory = "off" | "missing" | "all";

/**
 * Which earlier messages a component sees, by the memory at its input. `without`: where none is wired, nothing is
 * remembered, with a warning where one was required (`missing`), or everything (`all`).
 */
export function toMemory(scope: ClassicScope, without: WithoutMemory): JsonObject {
  const memory = scope.part("memory");
  if (memory !== undefined) return toMemoryOf(memory);
  if (without === "missing") {
    scope.report.warn(
      "memory-missing",
      "No memory is wired to it, which it could not run without. Here it answers without earlier messages. Choose what it remembers.",
    );
  }
  return { type: without === "all" ? "all" : "off" };
}

/** The native memory settings of a memory component. */
function toMemoryOf(memory: ClassicScope): JsonObject {
  const { node, settings, report } = memory;
  warnOfKeys(memory);
  switch (node.name) {
    case "bufferMemory":
      return { type: "all" };
    case "bufferWindowMemory":
      return toWindow(2 * (settings.number("k") ?? 4));
    case "conversationSummaryMemory":
      return toSummary(memory, 0);
    case "conversationSummaryBufferMemory":
      return toSummary(memory, settings.number("maxTokenLimit") ?? 2_000);
    default:
      report.warn(
        "memory-store",
        `Its memory component ${node.name.slice(0, 100)} kept messages in its own store. Here they are kept with the session, and old messages are not copied. Check whether you still need them.`,
      );
      return toStored(memory);
  }
}

function toWindow(messages: number): JsonObject {
  const size = Math.min(1_000, Math.floor(messages));
  return size < 1 ? { type: "off" } : { type: "window", size };
}

function toSummary(memory: ClassicScope, maxTokens: number): JsonObject {
  const model = memory.part("model");
  if (model !== undefined) {
    memory.report.warn(
      "memory-model",
      "The summary of earlier messages is written by the model of the step, not by its own. Remove its own model.",
    );
    model.ignore(...Object.keys(model.node.inputs));
  }
  return { type: "summary", maxTokens: Math.min(1_000_000, Math.max(0, Math.round(maxTokens))) };
}

/** A window of the store counts messages. */
function toStored({ settings }: ClassicScope): JsonObject {
  const size = settings.number("windowSize") ?? settings.number("k");
  return size === undefined || size < 1 ? { type: "all" } : toWindow(size);
}

function warnOfKeys({ settings, report }: ClassicScope): void {
  if (settings.text("sessionId") !== "") {
    report.warn(
      "memory-session",
      "Its session ID has no effect. The caller sets the session, which is otherwise the chat. Send overrideConfig.sessionId instead.",
    );
  }
  const key = settings.text("memoryKey");
  if (key !== "" && key !== "chat_history") {
    report.warn("memory-key", "Its memory key has no effect: prompts read {{ chat_history }}. Correct the prompts.");
  }
}
