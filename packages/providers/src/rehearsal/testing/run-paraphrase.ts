import type { ChatModel, ModelMessage, ModelTool } from "@weft/engine/ports/chat-model";
import type { Json, JsonObject, JsonSchema } from "@weft/schema";
import { type Paraphrase, referenceDate } from "./paraphrases.ts";

/** The tools of one demo agent, and what each request of the paraphrases should end in. */
export type DemoAgent = { name: string; tools: ModelTool[]; toolOf: Record<Paraphrase["request"], string> };

const text = (description: string): JsonSchema => ({ type: "string", description });
const eventFields = {
  name: text("Name of the event"),
  date: text("Date of the event, ISO 8601 (YYYY-MM-DDTHH:mm:ssZ)"),
  location: text("Where the event takes place"),
};

function tool(name: string, description: string, properties: JsonObject, required: string[] = []): ModelTool {
  return { name, description, parameters: { type: "object", properties, required } };
}

/** Four request integrations: one GET both lists and fetches. */
export const requestAgent: DemoAgent = {
  name: "request integrations",
  tools: [
    tool("get_events", "Use this to get all events, or one event by its id", {
      id: text("Id of the event"),
      limit: { type: "number", description: "How many events to return" },
    }),
    tool("create_event", "Use this to create a new event", eventFields, ["name", "date", "location"]),
    tool("update_event", "Use this to update an event", { id: text("Id of the event"), ...eventFields }, [
      "id",
      "name",
      "date",
      "location",
    ]),
    tool("delete_event", "Use this to delete an event", { id: text("Id of the event") }, ["id"]),
  ],
  toolOf: {
    list: "get_events",
    fetch: "get_events",
    create: "create_event",
    update: "update_event",
    delete: "delete_event",
  },
};

/** One tool per operation of the event API's OpenAPI document. */
export const openApiAgent: DemoAgent = {
  name: "OpenAPI toolkit",
  tools: [
    tool("listEvents", "List all events", {}),
    tool("createEvent", "Create a new event", eventFields, ["name", "date", "location"]),
    tool("getEventById", "Retrieve an event by ID", { id: text("The id of the event") }, ["id"]),
    tool("updateEventDetails", "Update an event's details", { id: text("The id of the event"), ...eventFields }, [
      "id",
      "name",
      "date",
      "location",
    ]),
    tool("deleteEvent", "Delete an event", { id: text("The id of the event") }, ["id"]),
  ],
  toolOf: {
    list: "listEvents",
    fetch: "getEventById",
    create: "createEvent",
    update: "updateEventDetails",
    delete: "deleteEvent",
  },
};

const stored = { name: "Stored Name", date: "2025-01-02T03:04:05Z", location: "Stored Place" };

/** Whether the model ends in the expected call within two rounds; a lookup on the way gets a stored record. */
export async function fulfils(model: ChatModel, agent: DemoAgent, paraphrase: Paraphrase): Promise<boolean> {
  const messages: ModelMessage[] = [
    { role: "system", content: `You manage events. The current date and time is ${referenceDate}.` },
    { role: "user", content: paraphrase.message },
  ];
  for (let round = 0; round < 2; round += 1) {
    const answer = await model.answer({ messages, tools: agent.tools, signal: new AbortController().signal });
    const [call] = answer.toolCalls;
    if (call === undefined) return false;
    const args = JSON.parse(call.arguments) as JsonObject;
    if (call.name === agent.toolOf[paraphrase.request]) return isExpected(paraphrase, args);
    if (paraphrase.request !== "update" || args.id !== paraphrase.expected.id) return false;
    messages.push(
      { role: "assistant", content: "", toolCalls: [call] },
      {
        role: "tool",
        toolCallId: call.id,
        toolName: call.name,
        content: JSON.stringify({ id: args.id, ...stored } as JsonObject),
      },
    );
  }
  return false;
}

function isExpected({ request, expected }: Paraphrase, args: JsonObject): boolean {
  const wanted: Record<string, string | readonly string[]> =
    request === "update" ? { ...stored, ...expected } : expected;
  const names = new Set([...Object.keys(wanted), ...Object.keys(args)]);
  return [...names].every((name) => fits(wanted[name], args[name]));
}

function fits(wanted: string | readonly string[] | undefined, actual: Json | undefined): boolean {
  return typeof wanted === "string" || wanted === undefined ? wanted === actual : wanted.includes(String(actual));
}
