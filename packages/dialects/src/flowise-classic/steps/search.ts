import type { JsonObject } from "@weft/schema";
import type { Exit } from "../draft.ts";
import { toModel } from "../models.ts";
import { parsePromptText } from "../prompt-text.ts";
import { type StoreSearch, toSearches, toStoreRows } from "../stores.ts";
import { question } from "./chains.ts";
import { addHelper, type StepScope } from "./step.ts";

/** A search that was drawn: where it ends, and the native text of the passages that it found. */
export type DrawnSearch = { exit: Exit; context: string };

/** Searches stores with a text, as a step of its own beside the component's. */
export function drawStoreSearch(
  scope: StepScope,
  search: { stores: readonly StoreSearch[]; query?: string; from: readonly Exit[]; name?: string },
): DrawnSearch {
  const { stores, query = question, from, name = "search" } = search;
  const returnSourceDocuments = scope.settings.flag("returnSourceDocuments");
  const config = { stores: toStoreRows(stores), query, format: "text", returnSourceDocuments };
  const exit = addHelper(scope, { name, label: "Search", type: "retriever", config, from });
  return { exit, context: `{{ ${exit.id} }}` };
}

const presetRephrase =
  "Below are a conversation and a follow-up question. Write the follow-up question as a question that can be understood without the conversation.\n\nConversation:\n{chat_history}\n\nFollow-up question: {question}\n\nQuestion:";

/**
 * Searches with the question itself at the beginning of a conversation, and later with what a model makes of it: a
 * question that needs nothing before it.
 */
export function drawSearch(
  scope: StepScope,
  { memory, from }: { memory: JsonObject; from: readonly Exit[] },
): DrawnSearch {
  const stores = toSearches(scope, "vectorStoreRetriever");
  const rephrase = parsePromptText(scope.settings.text("rephrasePrompt").trim() || presetRephrase);
  const model = toModel(scope, scope.part("rephraseModel") === undefined ? "model" : "rephraseModel");
  if (memory.type === "off") return drawStoreSearch(scope, { stores, from });
  const key = `${scope.stepId}_query`;
  scope.conversion.state[key] = "";
  const update = { updateState: [{ key, value: "{{ output.content }}" }] };
  const isLater = [{ type: "string", left: "{{ chat_history }}", operation: "is-not-empty" }];
  const begun = addHelper(scope, {
    name: "begun",
    label: "Earlier messages?",
    type: "condition",
    config: { branches: [{ id: "yes", conditions: isLater }] },
    from,
  });
  const values: Readonly<Record<string, string>> = { chat_history: "{{ chat_history }}", question };
  const rephrased = addHelper(scope, {
    name: "rephrase",
    label: "Rephrase",
    type: "llm",
    config: {
      model,
      prompt: rephrase.render((name) => (Object.hasOwn(values, name) ? values[name] : undefined)),
      memory: { type: "off" },
      responseRole: "none",
      ...update,
    },
    from: [{ ...begun, port: "yes" }],
  });
  const asked = addHelper(scope, {
    name: "asked",
    label: "The question itself",
    type: "custom-function",
    config: { code: "return $input;", ...update },
    from: [{ ...begun, port: "else" }],
  });
  return drawStoreSearch(scope, { stores, query: `{{ $flow.state.${key} }}`, from: [rephrased, asked] });
}
