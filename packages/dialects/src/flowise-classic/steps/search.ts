import type { JsonObject } from "@weft/schema";
import type { Exit } from "../draft.ts";
import { toModel } from "../models.ts";
import { parsePromptText } from "../prompt-text.ts";
import { createScope } from "../scope.ts";
import { toSearches, toStorePath, toStores } from "../stores.ts";
import { question } from "./chains.ts";
import { addHelper, type StepScope } from "./step.ts";

/** A search that was drawn: where it ends, and the native text of the passages that it found. */
export type DrawnSearch = { exit: Exit; context: string };

type NewSearch = {
  /** The input that the stores are wired to, and which of them is searched. Absent: all. */
  input: string;
  only?: number;
  query?: string;
  from: readonly Exit[];
};

/** Searches stores with a text, as a step of its own beside the component's. */
export function drawStoreSearch(scope: StepScope, { input, only, query = question, from }: NewSearch): DrawnSearch {
  const { conversion, node, settings, stepId } = scope;
  const id = conversion.draft.reserve(only === undefined ? `${stepId}_search` : `${stepId}_search_${only}`);
  const own = createScope(conversion, node, id);
  const parts = own.parts(input).filter((_, index) => only === undefined || index === only);
  const stores = toSearches({ ...own, parts: () => parts }, input, toStorePath);
  const returnSourceDocuments = settings.flag("returnSourceDocuments");
  const config = { ...toStores(stores, own.report), query, format: "text", returnSourceDocuments };
  const exit = conversion.draft.add({ id, type: "retriever", label: `Search: ${node.label}`, config }, from);
  return { exit, context: `{{ ${id} }}` };
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
  const input = "vectorStoreRetriever";
  const rephrase = parsePromptText(scope.settings.text("rephrasePrompt").trim() || presetRephrase);
  const model = toModel(scope, scope.part("rephraseModel") === undefined ? "model" : "rephraseModel");
  if (memory.type === "off") return drawStoreSearch(scope, { input, from });
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
  return drawStoreSearch(scope, { input, query: `{{ $flow.state.${key} }}`, from: [rephrased, asked] });
}
