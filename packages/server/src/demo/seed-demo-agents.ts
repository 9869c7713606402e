import type { Database } from "@weft/database";
import { eventApiDocument } from "@weft/event-api";
import { defineRoute, type Route } from "@weft/http";
import { z } from "zod";
import type { AgentService } from "../agents/index.ts";
import { demoAgents } from "./demo-agents.ts";

const setting = "demo-agents-seeded";

export type SeedOptions = { eventApiUrl: string; openApiText: string };

/** Adds the demonstration agents on the first start of an empty database, once: deleted ones stay deleted. */
export async function seedDemoAgents(database: Database, agents: AgentService, options: SeedOptions): Promise<void> {
  const isFirst = await database.write(async (tx) => {
    const seeded = await tx.selectFrom("settings").select("name").where("name", "=", setting).executeTakeFirst();
    const agent = await tx.selectFrom("agents").select("id").limit(1).executeTakeFirst();
    if (!seeded) await tx.insertInto("settings").values({ name: setting, value: "true" }).execute();
    return !seeded && !agent;
  });
  if (!isFirst) return;
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
export function eventApiRoutes(): Route[] {
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
      handle: () => eventApiDocument(),
    }),
  ];
}
