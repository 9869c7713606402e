import { fileURLToPath } from "node:url";
import { eventApiDocument } from "@weft/event-api";
import { demoAgents } from "../../../../server/src/demo/seed-demo-agents.ts";

/** The folder of flows that come with the project, and their tests. */
export const flowsFolder = fileURLToPath(new URL("../../../../../flows/", import.meta.url));

/** The flows of the demonstration agents as files of that folder, by name. */
export async function demoFlowFiles(): Promise<Map<string, string>> {
  const agents = demoAgents({ eventApiUrl: "{{ $vars.eventApi }}", openApiText: await eventApiDocument() });
  const names = ["event-assistant-requests", "event-assistant-openapi"];
  return new Map(
    agents.map(({ flow }, index) => [`${names[index]}.flow.json`, `${JSON.stringify(flow, null, 2)}\n`] as const),
  );
}
