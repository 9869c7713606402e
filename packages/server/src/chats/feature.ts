import { chatMessageRoutes, conversationRoutes, createChats, createRunProjection } from "@weft/chats";
import { defineFeature } from "../feature.ts";

type Chats = ReturnType<typeof createChats>;

declare module "../feature.ts" {
  interface Services {
    chats: Chats;
  }
}

export const chats = defineFeature({
  name: "chats",
  needs: ["agentReader", "runnables"],
  service: (context, { agentReader, runnables }) =>
    createChats({
      ...context,
      limits: context.config,
      holdAgent: agentReader.hold,
      holdAgentOrAssistant: runnables.hold,
      isThere: runnables.isThere,
    }),
});

export const chatMessages = defineFeature({
  name: "chatMessages",
  needs: ["chats", "privacy", "runHost"],
  tables: ["chatMessages"],
  routes: (_, { chats, privacy }) => chatMessageRoutes(chats.messages, privacy.eraseRuns),
  on: (_, { chats: { messages }, runHost: { active } }, { database: { read } }) => ({
    agentDeleted: messages.removeOfAgent,
    runEnded: { chat: createRunProjection(active, messages, read) },
  }),
});

export const conversations = defineFeature({
  name: "conversations",
  needs: ["chats"],
  tables: ["conversations"],
  routes: (_, { chats }) => conversationRoutes(chats.conversations),
  on: (_, { chats }) => ({ agentDeleted: chats.conversations.removeOfAgent }),
});

export const feedback = defineFeature({
  name: "feedback",
  needs: ["chats"],
  tables: ["feedback"],
  routes: (_, { chats }) => chats.routes.feedback,
});

export const leads = defineFeature({
  name: "leads",
  needs: ["chats"],
  tables: ["leads"],
  routes: (_, { chats }) => chats.routes.leads,
  on: (_, { chats }) => ({ agentDeleted: chats.leads.removeOfAgent }),
});

export const files = defineFeature({
  name: "files",
  needs: ["chats"],
  tables: ["files", "fileParts"],
  routes: (_, { chats }) => chats.routes.files,
  on: (_, { chats }) => ({ agentDeleted: chats.files.removeOfAgent }),
  start: (_, { chats }) => chats.fileSweeper.start(),
  stop: (_, { chats }) => chats.fileSweeper.stop(),
  startedBy: ["all", "worker"],
});
