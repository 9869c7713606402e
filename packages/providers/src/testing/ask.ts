import type { ChatModel, ModelCall } from "@weft/engine";

/** Asks a model something, where only what `call` says matters. */
export function ask(model: ChatModel, call: Partial<ModelCall> = {}): ReturnType<ChatModel["answer"]> {
  return model.answer({
    messages: [{ role: "user", content: "Hi" }],
    signal: new AbortController().signal,
    ...call,
  });
}
