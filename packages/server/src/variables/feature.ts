import { defineFeature } from "../feature.ts";
import { variableRoutes } from "./variable.routes.ts";
import { createVariableService, type VariableService } from "./variable.service.ts";

declare module "../feature.ts" {
  interface Services {
    variables: VariableService;
  }
}

export const variables = defineFeature({
  name: "variables",
  tables: ["variables"],
  service: createVariableService,
  routes: variableRoutes,
});
