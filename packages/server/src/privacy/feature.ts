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
  service: (context, { chats, documentStores, personalRuns, runHost, webhooks }) =>
    createPrivacyService({
      ...context,
      chats: chats.personal,
      runs: personalRuns,
      executions: runHost.executions,
      documents: documentStores.personal,
      callbacks: webhooks.callbacks,
      answers: context.idempotency,
    }),
  routes: privacyRoutes,
});
