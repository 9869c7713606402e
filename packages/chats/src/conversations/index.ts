export { conversationRoutes } from "./conversation.routes.ts";
export { type ConversationService, createConversationService } from "./conversation.service.ts";
