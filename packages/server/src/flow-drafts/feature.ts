import { defineRoute, type Route } from "@weft/http";
import { streamWork } from "@weft/http/event-stream";
import { commonLimits } from "@weft/http/json-limits";
import { flowDraftRequestSchema } from "@weft/schema";
import { z } from "zod";
import type { Context } from "../context.ts";
import { defineFeature } from "../feature.ts";
import { createFlowDraftService, type FlowDraftService } from "./flow-draft.service.ts";

export const flowDrafts = defineFeature({
  name: "flowDrafts",
  needs: [
    "agentReader",
    "commandServers",
    "credentials",
    "defaultModel",
    "documentStores",
    "flows",
    "nodeServices",
    "tools",
    "variables",
  ],
  service: createFlowDraftService,
  routes: (drafts, _, context) => [draftRoute(drafts, context)],
});

function draftRoute(drafts: FlowDraftService, { ids }: Context): Route {
  return defineRoute({
    method: "POST",
    path: "/api/v1/flows/drafts",
    operationId: "draftFlow",
    audit: false,
    summary: "Draft a flow from a description, or the change of one, as a stream of server-sent events",
    description:
      "A chat model edits a flow in memory: `edit` events tell what it does, then comes `draft`, or `error`. Nothing is stored, published or run, and no secret is sent to the model. Closing the connection cancels it. The model's vendor charges for the tokens.",
    tag: "Flows",
    permission: "agents:write",
    body: flowDraftRequestSchema,
    jsonLimits: { ...commonLimits, characters: 4_000_000 },
    bodyErrorStatus: 422,
    returns: { schema: z.string(), contentType: "text/event-stream" },
    errors: [400, 409, 422, 500],
    async handle({ body, identity, signal }) {
      const begun = await drafts.begin(body, identity);
      return streamWork({
        id: ids.uuid(),
        signal,
        run: async (send, running) => send("draft", await begun.write((edit) => send("edit", edit), running)),
      });
    },
  });
}
