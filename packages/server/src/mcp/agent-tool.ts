import { type FormSettings, formOf } from "@weft/nodes";
import type { JsonObject, PredictionRequest, PredictionResult } from "@weft/schema";
import { parseChatLook } from "../chat-client/parse-settings.ts";
import type { ServedAgent } from "../served-agents/served-agents.service.ts";

const maxDescriptionCharacters = 2_000;

/** An agent as a tool: it takes a question, or the fields of the form that it begins with. */
export async function toAgentTool({ slug, agent, flow }: ServedAgent): Promise<JsonObject> {
  const form = formOf(await flow());
  const topics = agent.category.split(";").filter((topic) => topic.trim() !== "");
  const { welcomeMessage } = parseChatLook(agent.chatbotConfig);
  const sentences = [
    `Asks the agent ${agent.name}.`,
    form?.title,
    form?.description,
    typeof welcomeMessage === "string" ? welcomeMessage : undefined,
    topics.length > 0 ? `Topics: ${topics.join(", ")}.` : undefined,
  ];
  const description = sentences.filter((sentence) => sentence).join(" ");
  return {
    name: slug,
    title: agent.name,
    description: description.slice(0, maxDescriptionCharacters),
    inputSchema: form ? toFormSchema(form) : questionSchema,
  };
}

const questionSchema: JsonObject = {
  type: "object",
  properties: {
    question: { type: "string", description: "What to ask, with everything that has to be known for it." },
  },
  required: ["question"],
  additionalProperties: false,
};

function toFormSchema({ fields }: FormSettings): JsonObject {
  const properties = fields.map(({ name, label, type, options, default: fallback }) => [
    name,
    {
      type: type === "options" ? "string" : type,
      ...(label !== "" && { description: label }),
      ...(type === "options" && options.length > 0 && { enum: options }),
      ...(fallback !== undefined && { default: fallback }),
    },
  ]);
  const required = fields.filter((field) => field.required && field.default === undefined).map(({ name }) => name);
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** What a call asks the agent: its form, where it begins with one, else the question. */
export async function toQuestion(
  { flow }: ServedAgent,
  args: JsonObject,
): Promise<Pick<PredictionRequest, "form" | "question">> {
  if (formOf(await flow())) return { form: args };
  return typeof args.question === "string" ? { question: args.question } : {};
}

/** The answer of an agent as the result of a call; structured where it is an object. */
export function toCallResult({ text, json }: PredictionResult): JsonObject {
  const isObject = typeof json === "object" && json !== null && !Array.isArray(json);
  return { content: [{ type: "text", text }], ...(isObject && { structuredContent: json }) };
}
