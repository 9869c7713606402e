export { createChatCompletionsModel } from "./chat-completions-model.ts";
export { type ChatRequest, toChatRequest } from "./chat-request.ts";
export { createEventReader } from "./event-stream.ts";
