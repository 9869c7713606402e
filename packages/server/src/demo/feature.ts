import { defineFeature } from "../feature.ts";
import { eventApiRoutes, seedDemoAgents } from "./seed-demo-agents.ts";

export const demo = defineFeature({
  name: "demo",
  needs: ["agents"],
  routes: (_, __, { config }) => eventApiRoutes(config.eventApiPort),
  start: (_, needs, context) => seedDemoAgents(context, needs),
});
