export { agentReasoningOf, fileAnnotationsOf, isReasoningStep } from "./agent-reasoning.ts";
export { chatMessageRoutes } from "./chat-message.routes.ts";
export {
  type ChatMessageService,
  createChatMessageService,
  createMemory,
  type MessageOwner,
} from "./chat-message.service.ts";
export { memoryTypeOf, sourceDocumentsOf, usedToolsOf } from "./run-facts.ts";
export { createRunProjection } from "./run-projection.ts";
