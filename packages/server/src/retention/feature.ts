import { defineFeature } from "../feature.ts";
import { listRetention } from "./list-retention.ts";
import { retentionRoutes } from "./retention.routes.ts";
import { createVisitorRetention } from "./visitor-retention.ts";

export const retention = defineFeature({
  name: "retention",
  needs: ["agentReader", "chats", "personalRuns", "privacy"],
  service: ({ clock, config, logger }, { agentReader, chats: { leads, personal }, personalRuns, privacy }) =>
    createVisitorRetention({
      ...{ leads, privacy, clock, logger },
      listAgents: agentReader.listSettings,
      chats: personal,
      runs: personalRuns,
      installation: config.visitorRetention,
    }),
  routes: (_, __, { config }) => retentionRoutes(() => listRetention(config)),
  start: (visitorRetention) => visitorRetention.start(),
  stop: (visitorRetention) => visitorRetention.stop(),
});
