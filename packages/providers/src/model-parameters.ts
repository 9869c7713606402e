import type { ChatModel, ModelParameterName, ModelParameters } from "@weft/engine/ports/chat-model";
import { modelParameterNames } from "@weft/schema";
import type { ChatProvider } from "./define-provider.ts";

/** Common to all chat models, unless the provider `leavesOut` one. */
const common: ReadonlySet<ModelParameterName> = new Set(["temperature", "maxTokens", "topP"]);

/** The parameters that models of the provider take. */
export function parametersOf({ parameters }: Pick<ChatProvider, "parameters">): ModelParameterName[] {
  return modelParameterNames.filter((name) => common.has(name) || parameters.includes(name));
}

/** The model, which receives only parameters that it accepts and can report those left out. */
export function withTakenParameters(model: ChatModel, provider: ChatProvider, name: string): ChatModel {
  const taken = new Set(parametersOf(provider));

  function unsent(given: ModelParameters): ModelParameterName[] {
    const left = new Set(provider.leavesOut?.(name, given));
    if (given.thinkingTokens !== undefined && taken.has("thinkingTokens")) left.add("reasoning");
    return modelParameterNames.filter((one) => given[one] !== undefined && (!taken.has(one) || left.has(one)));
  }

  return {
    ...model,
    unsent,
    answer(call) {
      const { parameters } = call;
      if (parameters === undefined || Object.keys(parameters).length === 0) return model.answer(call);
      const left = new Set(unsent(parameters));
      if (left.size === 0) return model.answer(call);
      const sent = Object.entries(parameters).filter(([one]) => !left.has(one as ModelParameterName));
      return model.answer({ ...call, parameters: Object.fromEntries(sent) });
    },
  };
}
