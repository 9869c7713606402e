import type { FlowiseRow } from "@weft/flowise-source";
import type { RowDates } from "@weft/http/rows";
import { providerOfComponent } from "@weft/providers";
import {
  type AssistantDetails,
  assistantDetailsSchema,
  isJsonObject,
  type Json,
  type JsonObject,
  maxRefusals,
  parseJsonObject,
} from "@weft/schema";
import { datesOf, type ImportContext, pagesOf } from "./copy-rows.ts";

/** An assistant of the other server, as it is stored here. */
export type ForeignAssistant = {
  id: string;
  details: AssistantDetails;
  credential: string;
  iconSrc: string;
  dates: RowDates;
  /** The flow under whose id clients also ask it. */
  flowId: string | undefined;
  /** Differences from the original. */
  notes: string[];
};

type AssistantRefusal = { code: (typeof assistantErrorCodes)[number]; message: string };

/** Parts of an assistant that cannot be carried over, so that it does not answer until they are resolved. */
export const assistantErrorCodes = [
  "assistant-model-unsupported",
  "assistant-model-address",
  "assistant-tool-unsupported",
] as const;

/** Reads all assistants. Unreadable ones are skipped. */
export async function readAssistants(context: ImportContext): Promise<ForeignAssistant[]> {
  const found: ForeignAssistant[] = [];
  for await (const { rows, tally } of pagesOf(context, "assistant")) {
    for (const row of rows) {
      const details = parseJsonObject(row.details ?? "");
      const assistant = details && (row.type === null || row.type === "CUSTOM" ? custom : ofVendor)(details, row);
      if (assistant === undefined) tally.left("Its details cannot be read.", row.id);
      else found.push(assistant);
    }
  }
  return found;
}

type AssistantRow = FlowiseRow<"assistant">;

function custom(given: JsonObject, row: AssistantRow): ForeignAssistant | undefined {
  const model = isJsonObject(given.chatModel) ? given.chatModel : {};
  const inputs = isJsonObject(model.inputs) ? model.inputs : {};
  const component = textOf(model.name);
  const provider = providerOfComponent(component);
  const refused = refusalsOfModel(inputs, provider === undefined ? component : "");
  const stores = entriesOf(given.documentStores).map(({ id }) => textOf(id).split(":")[0] ?? "");
  const tools = toolsOf(given, refused);
  const details = {
    id: row.id,
    name: textOf(given.name) || row.id,
    description: textOf(given.description),
    instructions: textOf(given.instruction).slice(0, 200_000),
    ...(provider !== undefined && { provider }),
    model: textOf(inputs.modelName) || textOf(inputs.model),
    temperature: numberOf(inputs.temperature, 2),
    top_p: numberOf(inputs.topP, 1),
    tools: [...(tools.length > 0 ? ["function"] : []), ...(stores.length > 0 ? ["file_search"] : [])],
    tool_resources: {
      ...(tools.length > 0 && { function: { tool_ids: tools } }),
      ...(stores.length > 0 && { file_search: { vector_store_ids: stores } }),
    },
    ...(refused.length > 0 && { refused: refused.slice(0, maxRefusals) }),
  };
  const credential = [inputs.FLOWISE_CREDENTIAL_ID, inputs.credential, model.credential, row.credential].map(textOf);
  return toAssistant(row, {
    details,
    credential: credential.find((id) => uuid.test(id)) ?? "",
    notes: refused.map(({ message }) => message),
    flowId: textOf(given.flowId),
  });
}

/** `unknown`: the model component, if it is not known here. */
function refusalsOfModel(inputs: JsonObject, unknown: string): AssistantRefusal[] {
  const refused: AssistantRefusal[] = [];
  if (unknown !== "") {
    const message = `Choose its model: ${unknown.slice(0, 100)} is not known here.`;
    refused.push({ code: "assistant-model-unsupported", message });
  }
  const address = textOf(inputs.basepath) || textOf(inputs.baseUrl);
  if (address !== "") {
    const message = `Its model was asked at ${withoutSecrets(address)}. Give its credential this base URL.`;
    refused.push({ code: "assistant-model-address", message });
  }
  return refused;
}

function toolsOf({ tools }: JsonObject, refused: AssistantRefusal[]): string[] {
  return entriesOf(tools).flatMap((tool) => {
    const inputs = isJsonObject(tool.inputs) ? tool.inputs : {};
    const id = textOf(inputs.selectedTool);
    if (tool.name === "customTool" && id !== "") return [id];
    const name = (textOf(tool.label) || textOf(tool.name)).slice(0, 100);
    const message = `Its tool ${name} is not one that assistants have here. Make an agent of it.`;
    refused.push({ code: "assistant-tool-unsupported", message });
    return [];
  });
}

/** One hosted by its vendor: its settings are kept, its files and threads stay there. */
function ofVendor(given: JsonObject, row: AssistantRow): ForeignAssistant | undefined {
  const known = new Set(["function", "code_interpreter", "file_search"]);
  const tools = Array.isArray(given.tools) ? given.tools : [];
  const details = {
    ...given,
    name: textOf(given.name) || row.id,
    description: textOf(given.description),
    instructions: textOf(given.instructions).slice(0, 200_000),
    model: textOf(given.model),
    provider: "openai",
    temperature: numberOf(given.temperature, 2),
    top_p: numberOf(given.top_p, 1),
    tools: tools
      .map((tool) => (isJsonObject(tool) ? textOf(tool.type) : textOf(tool)))
      .filter((tool) => known.has(tool)),
    tool_resources: isJsonObject(given.tool_resources) ? given.tool_resources : {},
    id: row.id,
  };
  const notes = [
    "It lived at its vendor, where its files and conversations stay. Here it runs with its settings alone.",
  ];
  return toAssistant(row, { details, credential: row.credential ?? "", notes, flowId: "" });
}

type Read = { details: JsonObject; credential: string; notes: string[]; flowId: string };

function toAssistant(
  row: AssistantRow,
  { details: given, credential, notes, flowId }: Read,
): ForeignAssistant | undefined {
  const details = assistantDetailsSchema.safeParse(given);
  if (!details.success) return undefined;
  const { id, iconSrc } = row;
  return {
    ...{ id, details: details.data, credential, iconSrc: iconSrc ?? "", dates: datesOf(row) },
    ...{ flowId: flowId === "" ? undefined : flowId, notes },
  };
}

/** An address without user, password, query and fragment. */
function withoutSecrets(address: string): string {
  const url = URL.parse(address);
  return url === null ? "an address of its own" : `${url.origin}${url.pathname}`.slice(0, 300);
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function entriesOf(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

/** 1 is the models' own default. */
function numberOf(value: Json | undefined, most: number): number {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && number >= 0 && number <= most ? number : 1;
}
