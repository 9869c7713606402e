import { findSetting } from "@weft/database";
import { eventApiDocument } from "@weft/event-api";
import { defineRoute, type Route } from "@weft/http";
import type { FlowDocument, JsonObject } from "@weft/schema";
import { z } from "zod";
import type { Context } from "../context.ts";
import type { Needs } from "../feature.ts";

type DemoAgent = { name: string; flow: FlowDocument; starterPrompts: readonly string[] };

const instructions = [
  "You manage the events of a small calendar through your tools.",
  "The current date and time is {{ current_date_time }}.",
  "Dates are written as YYYY-MM-DDTHH:mm:ssZ. To change an event, look it up first and keep what was not mentioned.",
  "Answer in one or two sentences.",
].join(" ");

const starterPrompts = [
  "List all events",
  'Create an event named "Launch party" on 2026-12-01T18:00:00Z in Berlin',
  "Show me the event with id 1",
];

/** The two demonstration agents: the same job through request integrations and through an OpenAPI file. */
export function demoAgents(options: { eventApiUrl: string; openApiText: string }): DemoAgent[] {
  return [
    {
      name: "Event assistant (request integrations)",
      flow: agentFlow(requestIntegrations(`${options.eventApiUrl}/events`)),
      starterPrompts,
    },
    {
      name: "Event assistant (OpenAPI toolkit)",
      flow: agentFlow([
        { type: "openapi-toolkit", config: { openApiFile: options.openApiText, server: options.eventApiUrl } },
      ]),
      starterPrompts,
    },
  ];
}

function agentFlow(tools: JsonObject[]): FlowDocument {
  return {
    weft: 1,
    nodes: [
      { id: "start_0", type: "start", version: 1, label: "Start", position: { x: 0, y: 0 }, config: {} },
      {
        id: "agent_0",
        type: "agent",
        version: 1,
        label: "Event assistant",
        position: { x: 344, y: 0 },
        config: { messages: [{ role: "system", content: instructions }], tools },
      },
    ],
    edges: [{ id: "start_0-agent_0", source: "start_0", sourcePort: "out", target: "agent_0" }],
  };
}

const eventId = { type: "string", in: "path", description: "ID of the event" };
const eventFields = {
  name: { type: "string", required: true, description: "Name of the event" },
  date: { type: "string", required: true, description: "Date of the event, as YYYY-MM-DDTHH:mm:ssZ" },
  location: { type: "string", required: true, description: "Location of the event" },
};

function requestIntegrations(url: string): JsonObject[] {
  return [
    {
      type: "request-get",
      config: {
        url,
        name: "get_events",
        description: "Use this when you need to get events: all of them, or one by its id",
        parameters: {
          id: { ...eventId, description: "ID of the event to get; without it all events are listed" },
          limit: { type: "string", in: "query", description: "Most events to list" },
        },
      },
    },
    {
      type: "request-post",
      config: {
        url,
        name: "create_event",
        description: "Use this when you want to create a new event",
        bodySchema: eventFields,
      },
    },
    {
      type: "request-put",
      config: {
        url: `${url}/:id`,
        method: "PATCH",
        name: "update_event",
        description: "Use this when you want to update an event. Name, date and location are all needed",
        bodySchema: { id: { ...eventId, required: true }, ...eventFields },
      },
    },
    {
      type: "request-delete",
      config: {
        url,
        name: "delete_event",
        description: "Use this when you need to delete an event",
        parameters: { id: { ...eventId, required: true } },
      },
    },
  ];
}

const setting = "demo-agents-seeded";

/** Adds the demonstration agents on the first start of an empty database, once: deleted ones stay deleted. */
export async function seedDemoAgents(
  { config: { eventApiPort: port }, database }: Context,
  { agents }: Needs<"agents">,
): Promise<void> {
  if (port === undefined) return;
  const isFirst = await database.write(async (tx) => {
    const seeded = await findSetting(tx, setting);
    const agent = await tx.selectFrom("agents").select("id").limit(1).executeTakeFirst();
    if (seeded === undefined) await tx.insertInto("settings").values({ name: setting, value: "true" }).execute();
    return seeded === undefined && !agent;
  });
  if (!isFirst) return;
  const options = { eventApiUrl: `http://127.0.0.1:${port}`, openApiText: await eventApiDocument() };
  for (const { name, flow, starterPrompts } of demoAgents(options)) {
    const prompts = Object.fromEntries(starterPrompts.map((prompt, index) => [String(index), { prompt }]));
    await agents.create({
      name,
      flowData: JSON.stringify(flow),
      category: "Demonstration",
      chatbotConfig: JSON.stringify({ starterPrompts: prompts }),
    });
  }
}

/** Serves the OpenAPI file of the reference event API, as input for the OpenAPI toolkit. */
export function eventApiRoutes(eventApiPort: number | undefined): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/event-api.yaml",
      operationId: "getEventApiDocument",
      summary: "The reference event API as an OpenAPI 3.0 document",
      tag: "Catalogue",
      permission: "agents:read",
      agent: "reach",
      returns: { schema: z.string(), contentType: "application/yaml" },
      errors: [],
      handle: () => eventApiDocument(eventApiPort),
    }),
  ];
}
