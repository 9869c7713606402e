import type { Json, JsonObject } from "@weft/schema";
import type { NodeContext } from "../node-type.ts";
import type {
  ChatModel,
  ModelAnswer,
  ModelCall,
  ModelMessage,
  ModelParameters,
  ModelTool,
} from "../ports/chat-model.ts";

export type AskModelOptions = {
  model: ChatModel;
  /** Key of the effect. */
  key: string;
  messages: readonly ModelMessage[];
  /** Messages before this index were journalled with an earlier call of the same node. */
  newFrom?: number;
  tools?: readonly ModelTool[];
  toolChoice?: "auto" | "none";
  parameters: ModelParameters;
  responseSchema?: ModelCall["responseSchema"];
};

/** One model call as an effect. The text is streamed when somebody follows it. */
export async function askModel(context: NodeContext, options: AskModelOptions): Promise<ModelAnswer> {
  const { model, key, messages, tools = [], toolChoice = "auto", parameters } = options;
  const input: JsonObject = {
    messages: messages.slice(options.newFrom ?? 0).map(toJournal),
    tools: tools.map((tool) => tool.name),
    parameters: parameters as JsonObject,
  };
  const answer = await context.effect(
    { key, kind: "read", category: "model", name: model.id, input },
    async ({ signal }) => {
      let offset = 0;
      const onText = (text: string) => {
        context.emitText(text, offset);
        offset += text.length;
      };
      const call: ModelCall = { messages, parameters, signal };
      if (tools.length > 0) Object.assign(call, { tools, toolChoice });
      if (options.responseSchema) call.responseSchema = options.responseSchema;
      if (context.live) call.onText = onText;
      return { ...(await model.answer(call)) } as JsonObject;
    },
  );
  return answer as unknown as ModelAnswer;
}

/** Pictures are journalled by their type and size, not their bytes. */
function toJournal(message: ModelMessage): Json {
  if (message.role !== "user" || typeof message.content === "string") return { ...message } as JsonObject;
  const content = message.content.map((part): JsonObject => {
    if (part.type === "text") return { type: "text", text: part.text };
    const size = part.data instanceof URL ? { url: part.data.href } : { sizeBytes: part.data.byteLength };
    return { type: "image", mediaType: part.mediaType, ...size };
  });
  return { role: "user", content };
}
