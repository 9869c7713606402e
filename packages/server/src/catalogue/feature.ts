import { integrations as registry } from "@weft/integrations";
import { defineFeature } from "../feature.ts";
import { readOperatorSettings } from "../models/model-defaults.ts";
import { catalogueRoutes, integrationRoutes } from "./catalogue.routes.ts";

export const nodeTypes = defineFeature({
  name: "nodeTypes",
  routes: (_, __, { config, nodeTypes }) => catalogueRoutes(nodeTypes, readOperatorSettings(config)),
});

export const integrations = defineFeature({ name: "integrations", routes: () => integrationRoutes(registry) });
