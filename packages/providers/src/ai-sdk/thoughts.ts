import type { JSONObject, LanguageModelV4ToolCall, SharedV4ProviderMetadata } from "@ai-sdk/provider";
import type { ModelToolCall } from "@weft/engine/ports/chat-model";
import type { JsonObject } from "@weft/schema";

/** Key in a call's `vendorState` for the thoughts before it. */
const thoughtsKey = "thoughts";

/** A thought of a model, with the vendor's signature. `opens`: it precedes the text of its message. */
type Thought = { text: string; opens?: true; state: JsonObject };

type Dialect = { optionsKey: string; returnsThoughts?: boolean };

/** Matches the tool calls of an answer with the thoughts that each must be sent back with. */
export type CallReader = {
  think(id: string, thought: { text?: string; metadata?: SharedV4ProviderMetadata | undefined; opens: boolean }): void;
  toCall(part: LanguageModelV4ToolCall): ModelToolCall;
};

export function createCallReader({ optionsKey, returnsThoughts }: Dialect): CallReader {
  let thoughts = new Map<string, Thought>();
  return {
    think(id, { text = "", metadata, opens }) {
      const known = thoughts.get(id) ?? { text: "", state: {}, ...(opens && { opens }) };
      const state = { ...known.state, ...(metadata?.[optionsKey] as JsonObject | undefined) };
      thoughts.set(id, { ...known, text: known.text + text, state });
    },
    toCall(part) {
      const call: ModelToolCall = { id: part.toolCallId, name: part.toolName, arguments: part.input };
      const state = { ...part.providerMetadata?.[optionsKey] } as JsonObject;
      if (returnsThoughts && thoughts.size > 0) state[thoughtsKey] = [...thoughts.values()];
      thoughts = new Map();
      if (Object.keys(state).length > 0) call.vendorState = state;
      return call;
    },
  };
}

type ReasoningPart = { type: "reasoning"; text: string; providerOptions: Record<string, JSONObject> };

/** The thoughts to send back with a call, those before the text separately, and the rest of its state. */
export function readThoughts({ vendorState = {} }: ModelToolCall, { optionsKey, returnsThoughts }: Dialect) {
  const { [thoughtsKey]: kept = [], ...state } = vendorState;
  const thoughts = returnsThoughts ? (kept as Thought[]) : [];
  const toPart = ({ text, state: own }: Thought): ReasoningPart => {
    return { type: "reasoning", text, providerOptions: { [optionsKey]: own as JSONObject } };
  };
  return {
    opening: thoughts.filter(({ opens }) => opens).map(toPart),
    following: thoughts.filter(({ opens }) => !opens).map(toPart),
    options: Object.keys(state).length === 0 ? {} : { providerOptions: { [optionsKey]: state as JSONObject } },
  };
}
