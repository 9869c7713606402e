import { defineRoute, type Route } from "@weft/http";
import { type Retention, retentionSchema } from "@weft/schema";
import { z } from "zod";
import { defineFeature } from "../feature.ts";
import { listRetention } from "./list-retention.ts";
import { createVisitorRetention } from "./visitor-retention.ts";

export const retention = defineFeature({
  name: "retention",
  needs: ["agentReader", "chats", "personalRuns", "privacy"],
  service: createVisitorRetention,
  routes: (_, __, { config }) => retentionRoutes(() => listRetention(config)),
  start: (visitorRetention) => visitorRetention.start(),
  stop: (visitorRetention) => visitorRetention.stop(),
});

function retentionRoutes(list: () => Retention[]): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/v1/retention",
      operationId: "listRetention",
      summary: "List how long data is kept",
      description: "For each kind of data, with the environment variable of the server that changes it.",
      tag: "Privacy",
      permission: "signed-in",
      returns: { schema: z.array(retentionSchema) },
      errors: [],
      handle: async () => list(),
    }),
  ];
}
