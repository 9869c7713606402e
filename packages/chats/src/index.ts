export {
  agentReasoningOf,
  type ChatMessageService,
  chatMessageRoutes,
  createMemory,
  createRunProjection,
  isReasoningStep,
  type RunFacts,
  runFactsOf,
} from "./chat-messages/index.ts";
export { type ConversationService, conversationRoutes } from "./conversations/index.ts";
export { createChats } from "./create-chats.ts";
export {
  type FileLimit,
  type FilePlace,
  type FileService,
  type NewFile,
  toFileName,
  toMediaType,
  type VisitorFileLimits,
} from "./files/index.ts";
export type { LeadService } from "./leads/lead.service.ts";
export type { IdleChat, IdleQuery } from "./personal/idle-chats.ts";
export type { PersonalChats, PersonalFile } from "./personal/personal-chats.ts";
