import { defineRoute, type Route } from "@weft/http";
import { ownerOf } from "@weft/http/identity";
import { createPersonalRuns, type PersonalRuns } from "@weft/run-host";
import { erasedSchema, personalDataSchema, personSchema } from "@weft/schema";
import { defineFeature } from "../feature.ts";
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
  service: ({ database }, { runHost: { budgets, executions } }) => createPersonalRuns(database, executions, budgets),
});

export const privacy = defineFeature({
  name: "privacy",
  needs: ["chats", "documentStores", "personalRuns", "runHost", "webhooks"],
  service: createPrivacyService,
  routes: privacyRoutes,
});

const tag = "Privacy";

/** Routes of `/privacy`: a person's stored data (contract, "A person's data"). */
function privacyRoutes(service: PrivacyService): Route[] {
  const shared = { method: "POST", tag, body: personSchema, bodyLimitBytes: 16 * 1_024 } as const;
  return [
    defineRoute({
      ...shared,
      path: "/api/v1/privacy/export",
      operationId: "exportPersonalData",
      audit: "always",
      summary: "Export everything that is kept of a person",
      description:
        "Messages, feedback, leads, files, documents that a chat brought, and runs with their steps. The answer is sent as it is read.",
      permission: "privacy:read",
      returns: { schema: personalDataSchema },
      errors: [400],
      async handle({ body, identity }) {
        const pieces = await service.export(body, ownerOf(identity));
        return new Response(toStream(pieces), { headers: { "Content-Type": "application/json; charset=utf-8" } });
      },
    }),
    defineRoute({
      ...shared,
      path: "/api/v1/privacy/erase",
      operationId: "erasePersonalData",
      summary: "Erase everything that is kept of a person",
      description:
        "Runs that are under way are cancelled first. What is erased is in no table, index or file of the database any more, and in no later backup. Send the request again after a 409, or when it was interrupted.",
      permission: "privacy:write",
      returns: { schema: erasedSchema },
      errors: [400, 409],
      handle: ({ body, identity }) => service.erase(body, ownerOf(identity)),
    }),
  ];
}

function toStream(pieces: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}
