import type { ModelMessage, ModelToolCall } from "@weft/engine/ports/chat-model";
import type { RememberedMessage } from "@weft/engine/ports/memory";
import type { UsedTool } from "@weft/schema";

/** Earlier calls and results shown again: enough to continue with, and little enough to be sent each time. */
export const maxToolCharacters = 100_000;
/** Length of an older result, if not all of them fit. */
const shortCharacters = 1_000;
const maxTurns = 50;

/**
 * Shows earlier tool calls and their results again, for messages given newest first: whole as long as they fit into the
 * total number of characters, then shortened, then not at all.
 */
export function createToolMemory(characters: number): (message: RememberedMessage) => Promise<ModelMessage[]> {
  let left = characters;
  let turns = 0;
  let calls = 0;

  /** The calls that fit; the newest are truncated rather than left out. */
  function fit(tools: readonly UsedTool[]): readonly UsedTool[] {
    const mostOfEach = turns === 1 ? Math.floor(left / tools.length) : shortCharacters;
    const fitting = lengthOf(tools) <= left ? tools : tools.map((tool) => shorten(tool, mostOfEach));
    left -= lengthOf(fitting);
    return left < 0 ? [] : fitting;
  }

  return async ({ readTools }) => {
    if (readTools === undefined || left <= 0 || turns === maxTurns) return [];
    turns += 1;
    const shown = fit(await readTools()).map((tool) => {
      calls += 1;
      return { tool, call: toCall(tool, calls) };
    });
    if (shown.length === 0) return [];
    return [
      { role: "assistant", content: "", toolCalls: shown.map(({ call }) => call) },
      ...shown.map(({ tool, call }): ModelMessage => {
        const { id: toolCallId, name: toolName } = call;
        const isError = tool.error === undefined ? {} : { isError: true };
        return { role: "tool", toolCallId, toolName, content: tool.toolOutput, ...isError };
      }),
    ];
  };
}

function lengthOf(tools: readonly UsedTool[]): number {
  return tools.reduce(
    (sum, { toolInput, toolOutput }) => sum + JSON.stringify(toolInput).length + toolOutput.length,
    0,
  );
}

function shorten(tool: UsedTool, most: number): UsedTool {
  const { toolInput, toolOutput } = tool;
  const half = Math.max(0, Math.floor(most / 2) - note.length);
  const isLongInput = JSON.stringify(toolInput).length > half;
  return {
    ...tool,
    toolInput: isLongInput ? { shortened: JSON.stringify(toolInput).slice(0, Math.floor(half / 2)) } : toolInput,
    toolOutput: toolOutput.length > half ? `${toolOutput.slice(0, half)}${note}` : toolOutput,
  };
}

const note = " … (shortened)";

/** Ids of nine letters and digits, which every vendor accepts; Mistral AI accepts no others. */
function toCall({ tool, toolInput }: UsedTool, number: number): ModelToolCall {
  const name = tool.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, 64) || "tool";
  return { id: `past${String(number).padStart(5, "0")}`, name, arguments: JSON.stringify(toolInput) };
}
