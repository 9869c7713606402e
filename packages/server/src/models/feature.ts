import { confirmingDestinations, savesOfModels } from "../credentials/index.ts";
import { defineFeature } from "../feature.ts";
import { createDefaultModelService, type DefaultModelService } from "./default-model.service.ts";
import { modelRoutes } from "./model.routes.ts";

declare module "../feature.ts" {
  interface Services {
    defaultModel: DefaultModelService;
  }
}

export const defaultModel = defineFeature({
  name: "defaultModel",
  needs: ["credentials"],
  service: ({ database, modelDefaults: defaults }, { credentials }) =>
    createDefaultModelService({ database, defaults, hasCredential: credentials.has }),
});

export const models = defineFeature({
  name: "models",
  needs: ["credentialUses", "defaultModel", "destinations", "nodeServices"],
  routes(_, { credentialUses, defaultModel, destinations, nodeServices }, { clock, modelDefaults: defaults }) {
    const routes = modelRoutes(defaultModel, { models: nodeServices.models, now: clock.now, defaults });
    return confirmingDestinations(routes, destinations, savesOfModels(credentialUses));
  },
});
