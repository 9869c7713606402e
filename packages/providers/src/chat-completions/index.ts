export { type ChatRequest, createChatCompletionsModel, toChatRequest } from "./chat-completions-model.ts";
export { createEventReader } from "./event-stream.ts";
