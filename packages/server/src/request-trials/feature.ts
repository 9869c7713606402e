import { defineFeature } from "../feature.ts";
import { requestTrialRoutes } from "./request-trial.routes.ts";
import { createRequestTrialService } from "./request-trial.service.ts";

export const requestTrials = defineFeature({
  name: "requestTrials",
  needs: ["nodeServices", "sandboxes"],
  service: createRequestTrialService,
  routes: requestTrialRoutes,
});
