import { defineResource, type Route } from "@weft/http";
import { variableCreateSchema, variableSchema, variableUpdateSchema } from "@weft/schema";
import { defineFeature } from "../feature.ts";
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

/** Routes of `/variables`. Source: reference, "Variables". */
function variableRoutes(service: VariableService): Route[] {
  const variables = defineResource({
    path: "/api/v1/variables",
    name: "variable",
    tag: "Variables",
    permission: "variables",
    schema: variableSchema,
    service,
  });
  return [
    variables.list({
      summary: "List the variables",
      description: "Most recently updated first. The environment values of runtime variables are not shown.",
      handle: ({ query }) => service.list(query),
    }),
    variables.get(),
    variables.create({
      description: "Flows read it as $vars.name. If several share a name, the one updated last wins.",
      body: variableCreateSchema,
      handle: ({ body, newId }) => service.create({ ...body, id: body.id ?? newId }),
    }),
    variables.update({
      description: "Omitted fields keep their values. Runs already in progress keep the value they started with.",
      body: variableUpdateSchema,
      handle: ({ params, body, assertMatches }) => service.update(params.id, body, assertMatches),
    }),
    variables.delete(),
  ];
}
