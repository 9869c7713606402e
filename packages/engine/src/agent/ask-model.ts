import { type Json, type JsonObject, type RunError, type Usage, usageOf } from "@weft/schema";
import { isTransientFailure } from "../errors.ts";
import type { NodeContext } from "../node-type.ts";
import type {
  ChatModel,
  ModelAnswer,
  ModelCall,
  ModelMessage,
  ModelParameters,
  ModelTool,
} from "../ports/chat-model.ts";
import { markData } from "./mark-data.ts";
import { type AnswerSchema, readAnswer, type StructuredAnswer, toAskedSchema } from "./read-answer.ts";

type AskModelOptions = {
  model: ChatModel;
  key: string;
  messages: readonly ModelMessage[];
  /** Messages before this index were journalled with an earlier call of the same node. */
  newFrom?: number;
  tools?: readonly ModelTool[];
  toolChoice?: "auto" | "none";
  parameters: ModelParameters;
  /**
   * Texts of documents that appear verbatim in the messages although no step brought them in that form. Default none.
   */
  documents?: readonly string[] | undefined;
  /** Schema of the answer, unless the model calls tools. A model with tools is given it as an instruction instead. */
  answerSchema?: AnswerSchema | undefined;
  /** Throw if the answer does not fit. Default false: it comes back as `rejected`. */
  isLast?: boolean;
};

/**
 * Makes one model call as an effect. Text is streamed as it is written if someone follows the run; data is not, since
 * it may turn out not to fit. Data in the messages is marked when sent, not in the journal. Rejects with
 * `model-invalid-answer` as `readAnswer` does.
 */
export async function askModel(context: NodeContext, options: AskModelOptions): Promise<StructuredAnswer> {
  const { model, key, messages, tools = [], toolChoice = "auto", parameters, answerSchema } = options;
  const input: JsonObject = {
    messages: messages.slice(options.newFrom ?? 0).map(toJournal),
    tools: tools.map((tool) => tool.name),
    parameters: parameters as JsonObject,
  };
  let offset = 0;
  // Once part of an answer has been streamed, the call is not retried.
  const isTransient = (error: RunError) => offset === 0 && isTransientFailure(error);
  return context.effect<StructuredAnswer>(
    { key, kind: "read", category: "model", name: model.id, input, isTransient, expects: expectedUse(options) },
    async ({ seq, signal }) => {
      const onText = (text: string) => {
        context.emitText({ effectSeq: seq, offset, text });
        offset += text.length;
      };
      const own = options.documents ?? [];
      const documents = [...own, ...context.outsideTexts().filter((text) => !own.some((one) => one.includes(text)))];
      const marking = { mark: context.dataMark(), documents, hasTools: tools.length > 0 };
      const call: ModelCall = { messages: markData(messages, marking), parameters, signal };
      if (tools.length > 0) Object.assign(call, { tools, toolChoice });
      if (answerSchema && tools.length === 0) call.responseSchema = toAskedSchema(answerSchema);
      if (context.live && !answerSchema) call.onText = onText;
      const answered = withKnownNames(await model.answer(call), tools);
      const isCalling = toolChoice === "auto" && answered.toolCalls.length > 0;
      const isData = answerSchema !== undefined && !isCalling;
      return isData ? readAnswer(answered, answerSchema, options.isLast ?? false) : answered;
    },
  );
}

/**
 * Models prefix tool names with a namespace or change their case: `functions.lookup`. Such a name is accepted if it
 * matches exactly one tool.
 */
function withKnownNames(answer: ModelAnswer, tools: readonly ModelTool[]): ModelAnswer {
  const toolCalls = answer.toolCalls.map((call) => ({ ...call, name: findName(call.name, tools) ?? call.name }));
  return { ...answer, toolCalls };
}

function findName(called: string, tools: readonly ModelTool[]): string | undefined {
  const names = tools.map(({ name }) => name);
  const last = called.trim().split(/[.:/]/).at(-1) ?? "";
  for (const name of [called, last]) if (names.includes(name)) return name;
  const alike = names.filter((name) => name.toLowerCase() === last.toLowerCase());
  return alike.length === 1 ? alike[0] : undefined;
}

const charactersAToken = 4;
const tokensAPicture = 1_000;
const tokensAnAnswer = 1_000;

/** A rough estimate of what a call uses. */
function expectedUse({ messages, parameters }: AskModelOptions): Usage {
  let inputTokens = 0;
  for (const { content } of messages) {
    for (const part of typeof content === "string" ? [{ type: "text" as const, text: content }] : content) {
      inputTokens += part.type === "text" ? Math.ceil(part.text.length / charactersAToken) : tokensAPicture;
    }
  }
  return usageOf(inputTokens, parameters.maxTokens ?? tokensAnAnswer);
}

/** Images are journalled by type and size, without their bytes. */
function toJournal(message: ModelMessage): Json {
  if (message.role !== "user" || typeof message.content === "string") return { ...message } as JsonObject;
  const content = message.content.map((part): JsonObject => {
    if (part.type === "text") return { type: "text", text: part.text };
    const size = part.data instanceof URL ? { url: part.data.href } : { sizeBytes: part.data.byteLength };
    return { type: "image", mediaType: part.mediaType, ...size };
  });
  return { role: "user", content };
}
