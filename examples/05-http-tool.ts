// Makes an agent with two HTTP tools, and has it create an event at the reference event API that starts with the server.
import { call, check, makeAgent } from "./weft.ts";

const url = "{{ $vars.eventApi }}/events";
const tools = [
  { type: "request-get", config: { name: "get_events", description: "Lists all events", url } },
  {
    type: "request-post",
    config: {
      name: "create_event",
      description: "Use this when you want to create a new event",
      url,
      bodySchema: {
        name: { type: "string", required: true, description: "Name of the event" },
        date: { type: "string", required: true, description: "Date of the event, as YYYY-MM-DDTHH:mm:ssZ" },
        location: { type: "string", required: true, description: "Location of the event" },
      },
    },
  },
];
const agentId = await makeAgent(
  "Event clerk of the example",
  [
    { id: "start", type: "start" },
    { id: "agent", type: "agent", config: { tools } },
  ],
  [{ id: "e", source: "start", target: "agent" }],
);

type Answer = { text: string; executionId: string; usedTools?: { tool: string }[] };
const ask = (question: string) => call<Answer>(`prediction/${agentId}`, { question });

const created = await ask('Create an event named "Release party" on 2026-12-01T18:00:00Z in Ulm');
console.log(created.text);
check(created.usedTools?.[0]?.tool === "create_event", "The agent did not call create_event.");

const listed = await ask("List all events");
check(listed.text.includes("Release party"), `The new event is not listed: ${listed.text}`);
console.log(`The event API has the event. Each step: GET /api/v1/executions/${created.executionId}`);
