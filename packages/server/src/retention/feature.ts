import { defineFeature } from "../feature.ts";
import { listRetention } from "./list-retention.ts";
import { retentionRoutes } from "./retention.routes.ts";
import { createVisitorRetention } from "./visitor-retention.ts";

export const retention = defineFeature({
  name: "retention",
  needs: ["agentReader", "chats", "personalRuns", "privacy"],
  service: createVisitorRetention,
  routes: (_, __, { config }) => retentionRoutes(() => listRetention(config)),
  start: (visitorRetention) => visitorRetention.start(),
  stop: (visitorRetention) => visitorRetention.stop(),
});
