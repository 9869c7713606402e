export { createChatCompletionsModel } from "./chat-completions-model.ts";
export type { ChatRequest } from "./chat-request.ts";
