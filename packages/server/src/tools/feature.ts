import { defineFeature } from "../feature.ts";
import { toolRoutes } from "./tool.routes.ts";
import { createToolService, type ToolService } from "./tool.service.ts";
import { createToolTrialService } from "./tool-trial.service.ts";

declare module "../feature.ts" {
  interface Services {
    tools: ToolService;
  }
}

export const tools = defineFeature({
  name: "tools",
  needs: ["sandboxes", "sql"],
  tables: ["tools"],
  service: createToolService,
  routes: (tools, needs, context) => toolRoutes(tools, createToolTrialService(tools, context, needs)),
});
