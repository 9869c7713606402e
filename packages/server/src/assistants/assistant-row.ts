import type { AssistantRow } from "@weft/database";
import {
  type Assistant,
  type AssistantCreate,
  type AssistantDetails,
  type AssistantUpdate,
  assistantDetailsSchema,
} from "@weft/schema";
import type { RunnableAgent } from "../agents/agent-reader.ts";

const unset = {
  description: "",
  model: "",
  instructions: "",
  temperature: 1,
  top_p: 1,
  tools: [],
  tool_resources: {},
};

export function toAssistant({ versionId: _, ...row }: AssistantRow): Assistant {
  return { ...row, details: assistantDetailsSchema.parse(JSON.parse(row.details)) };
}

/** The details of a new assistant; `details.id` is what the client calls it, or its own id. */
export function newDetails({ details }: AssistantCreate, id: string): AssistantDetails {
  return assistantDetailsSchema.parse({ ...unset, ...details, id: details.id || id });
}

/** What an update names, over what is stored. */
export function changedDetails(stored: AssistantDetails, { details = {} }: AssistantUpdate): AssistantDetails {
  return assistantDetailsSchema.parse({ ...stored, ...details, id: details.id || stored.id });
}

/** An assistant as the agent that predictions run. It has no settings of its own beside its details. */
export function toSettings({ name }: AssistantDetails, row: AssistantRow): RunnableAgent["agent"] {
  const { id, createdDate, updatedDate, versionId } = row;
  const dates = { createdDate, updatedDate, versionId };
  const texts = { chatbotConfig: "{}", apiConfig: "{}", analytic: "{}", speechToText: "{}", category: "" };
  return { id, name, deployed: 1, isPublic: 0, apikeyid: "", type: "ASSISTANT", ...texts, ...dates };
}
