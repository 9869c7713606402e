import type { SecretVault } from "@weft/egress";
import type { ChatModel, ModelAnswer, ModelResolver, Tool, ToolResolver, ToolResult } from "@weft/engine";
import type { Resolvers } from "@weft/run-host";
import type { JsonObject } from "@weft/schema";

type Vault = Pick<SecretVault, "redactor">;

/**
 * Models and tools whose words hold no secret that was used. The egress client redacts each answer; here a secret is
 * found that a model spells over several pieces of text, and one that a local command prints.
 */
export function redactResolvers({ models, tools }: Resolvers, vault: Vault): Resolvers {
  return { models: redactModels(models, vault), tools: redactTools(tools, vault) };
}

function redactModels(models: ModelResolver, vault: Vault): ModelResolver {
  return {
    async resolve(reference) {
      const model = await models.resolve(reference);
      return { ...model, answer: (call) => answerRedacted(model, call, vault) };
    },
  };
}

async function answerRedacted(model: ChatModel, call: Parameters<ChatModel["answer"]>[0], vault: Vault) {
  const { onText } = call;
  if (onText === undefined) return redactAnswer(await model.answer(call), vault);
  const text = redactPieces(onText, vault);
  const answer = await model.answer({ ...call, onText: text.push });
  text.end();
  return redactAnswer(answer, vault);
}

/** Passes text on with the beginning of a possible secret held back until the next piece tells. */
function redactPieces(pass: (text: string) => void, vault: Vault) {
  // Opened by the first piece: by then the model's own key has gone out and is known.
  let opened: ReturnType<ReturnType<Vault["redactor"]>["open"]> | undefined;
  const stream = () => {
    opened ??= vault.redactor().open();
    return opened;
  };
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const emit = (bytes: Uint8Array, isLast: boolean) => {
    const text = decoder.decode(bytes, { stream: !isLast });
    if (text !== "") pass(text);
  };
  // A model may send the halves of a character in two pieces; bytes are made of whole ones.
  let half = "";
  return {
    push(text: string) {
      const all = half + text;
      half = /[\ud800-\udbff]$/.exec(all)?.[0] ?? "";
      emit(stream().push(encoder.encode(half === "" ? all : all.slice(0, -1))), false);
    },
    end() {
      emit(stream().push(encoder.encode(half)), false);
      emit(stream().end(), true);
    },
  };
}

function redactAnswer(answer: ModelAnswer, vault: Vault): ModelAnswer {
  const redactor = vault.redactor();
  if (redactor.isIdle) return answer;
  const toolCalls = answer.toolCalls.map((call) => ({ ...call, arguments: redactor.text(call.arguments) }));
  return { ...answer, text: redactor.text(answer.text), toolCalls };
}

function redactTools(tools: ToolResolver, vault: Vault): ToolResolver {
  return {
    async resolve(reference, context) {
      const resolved = await tools.resolve(reference, context);
      return resolved.map(
        (tool): Tool => ({
          ...tool,
          description: vault.redactor().text(tool.description),
          call: async (args, toolContext) => redactResult(await tool.call(args, toolContext), vault),
        }),
      );
    },
  };
}

function redactResult(result: ToolResult, vault: Vault): ToolResult {
  const redactor = vault.redactor();
  if (redactor.isIdle) return result;
  const { content, details } = result;
  return {
    ...result,
    content: redactor.text(content),
    ...(details && { details: JSON.parse(redactor.text(JSON.stringify(details))) as JsonObject }),
  };
}
