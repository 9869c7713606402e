export { chatMessageRoutes } from "./chat-message.routes.ts";
export {
  type ChatMessageService,
  createChatMessageService,
  createMemory,
  type MessageOwner,
} from "./chat-message.service.ts";
export { agentReasoningOf, isReasoningStep, type RunFacts, runFactsOf } from "./run-facts.ts";
export { type ChatTurn, createRunProjection, type IsThere } from "./run-projection.ts";
