import type { FlowDocument, JsonObject } from "@weft/schema";

export type DemoAgent = { name: string; flow: FlowDocument; starterPrompts: readonly string[] };

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

/** The two agents that show what Weft does: the same job through request integrations and through an OpenAPI file. */
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
        position: { x: 280, y: 0 },
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
