import { defineRoute, type Route } from "@weft/http";
import { z } from "zod";
import { defineFeature } from "../feature.ts";
import { createHostedChatService, type HostedChatService } from "./hosted-chat.service.ts";

/** Where `npm run builder` leaves the chat client. */
const folder = new URL("../../../widget/dist/", import.meta.url);

export const hostedChat = defineFeature({
  name: "hostedChat",
  needs: ["agentPolicies"],
  service: (_, { agentPolicies }) => createHostedChatService(agentPolicies.find, folder),
  routes: hostedChatRoutes,
});

const shared = {
  method: "GET",
  tag: "Chat clients",
  servesAnyHost: true,
  permission: "open",
  isPage: true,
} as const;
const script = { ...shared, returns: { schema: z.string(), contentType: "text/javascript" }, errors: [503] } as const;

/** The chat client for visitors. Source: contract "Identity", what is open without credentials. */
export function hostedChatRoutes(service: HostedChatService): Route[] {
  return [
    defineRoute({
      ...script,
      path: "/widget.js",
      operationId: "getWidget",
      summary: "Get the chat client that other websites embed",
      handle: ({ headers }) => service.file("widget.js", headers),
    }),
    defineRoute({
      ...script,
      path: "/chat-page.js",
      operationId: "getChatPageScript",
      summary: "Get the script of the hosted chat page",
      handle: ({ headers }) => service.file("chat-page.js", headers),
    }),
    defineRoute({
      ...shared,
      path: "/chat/{id}",
      operationId: "getChatPage",
      summary: "Open the chat page of a public agent",
      description:
        "Returns 404 with the same page for an agent that does not exist, is not public or needs its own API key.",
      params: z.object({ id: z.string() }),
      returns: { schema: z.string(), contentType: "text/html" },
      errors: [404],
      handle: ({ params, headers }) => service.page(params.id, headers),
    }),
  ];
}
