import { defineFeature } from "../feature.ts";
import { hostedChatRoutes } from "./hosted-chat.routes.ts";
import { createHostedChatService } from "./hosted-chat.service.ts";

/** Where `npm run builder` leaves the chat client. */
const folder = new URL("../../../widget/dist/", import.meta.url);

export const hostedChat = defineFeature({
  name: "hostedChat",
  needs: ["agentPolicies"],
  service: (_, { agentPolicies }) => createHostedChatService({ findPolicy: agentPolicies.find, folder }),
  routes: hostedChatRoutes,
});
