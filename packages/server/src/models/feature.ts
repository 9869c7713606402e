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
  service: createDefaultModelService,
});

export const models = defineFeature({
  name: "models",
  needs: ["defaultModel", "nodeServices"],
  routes: (_, { defaultModel, nodeServices }, { clock, modelDefaults: defaults }) =>
    modelRoutes(defaultModel, { models: nodeServices.models, now: clock.now, defaults }),
});
