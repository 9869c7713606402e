export {
  agentReasoningOf,
  type ChatMessageService,
  createMemory,
  createRunProjection,
  isReasoningStep,
  type RunFacts,
  runFactsOf,
} from "./chat-messages/index.ts";
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
