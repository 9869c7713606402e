import { createPersonalRuns, type PersonalRuns } from "@weft/run-host";
import { defineFeature } from "../feature.ts";
import { privacyRoutes } from "./privacy.routes.ts";
import { createPrivacyService, type PrivacyService } from "./privacy.service.ts";

declare module "../feature.ts" {
  interface Services {
    personalRuns: PersonalRuns;
    privacy: PrivacyService;
  }
}

export const personalRuns = defineFeature({
  name: "personalRuns",
  needs: ["runHost"],
  service: ({ database }, { runHost: { budgets, executions } }) =>
    createPersonalRuns({ database, control: executions, budgets }),
});

export const privacy = defineFeature({
  name: "privacy",
  needs: ["chats", "documentStores", "personalRuns", "runHost", "webhooks"],
  service: createPrivacyService,
  routes: privacyRoutes,
});
