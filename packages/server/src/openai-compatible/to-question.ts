import { type HistoryMessage, type PredictionRequest, type Upload, WeftError } from "@weft/schema";
import type { ChatCompletionRequest, ChatMessage, ContentPart } from "./chat-completion.ts";

/**
 * What a chat completion asks an agent: its last user message, with its pictures; the messages before it take the place
 * of the stored memory. The agent's own instructions stay: those of the client come as a message of its user.
 * Throws `body-invalid` where no user says anything, and for content that is neither text nor a picture.
 */
export function toQuestion(
  request: ChatCompletionRequest,
): Pick<PredictionRequest, "question" | "history" | "uploads" | "overrideConfig"> {
  const { messages } = request;
  const last = messages.findLastIndex(({ role }) => role === "user");
  const asked = messages[last];
  if (!asked) throw invalid("messages", "one of them must have the role user");
  const parts = partsOf(asked);
  const history = messages.slice(0, last).flatMap(toHistory);
  const uploads = parts.flatMap((part, index) => toUpload(part, `messages.${last}.content.${index}`));
  const parameters = {
    temperature: request.temperature,
    topP: request.top_p,
    maxTokens: request.max_completion_tokens ?? request.max_tokens,
  };
  const given = Object.entries(parameters).filter((entry): entry is [string, number] => typeof entry[1] === "number");
  return {
    question: textOf(parts),
    ...(history.length > 0 && { history }),
    ...(uploads.length > 0 && { uploads }),
    ...(given.length > 0 && { overrideConfig: Object.fromEntries(given) }),
  };
}

const maxUploads = 20;

function partsOf({ content }: ChatMessage): ContentPart[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return content ?? [];
}

function textOf(parts: readonly ContentPart[]): string {
  return parts.flatMap(({ text }) => text ?? []).join("\n");
}

/** Results of tools that the client has called by itself are none of the agent's. */
function toHistory(message: ChatMessage): HistoryMessage[] {
  const content = textOf(partsOf(message));
  if (content === "" || message.role === "tool" || message.role === "function") return [];
  return [{ role: message.role === "assistant" ? "apiMessage" : "userMessage", content }];
}

function toUpload({ type, image_url: image }: ContentPart, path: string): Upload[] {
  if (type === "text") return [];
  if (type !== "image_url" || !image) throw invalid(path, "is neither text nor a picture");
  if (Number(path.split(".").at(-1)) >= maxUploads) throw invalid(path, `is beyond the first ${maxUploads} parts`);
  const isAddress = /^https?:/i.test(image.url);
  return [{ type: isAddress ? "url" : "image", name: "image", data: image.url, mime: "" }];
}

function invalid(path: string, message: string): WeftError {
  return new WeftError("body-invalid", { params: { reason: `${path}: ${message}` }, errors: [{ path, message }] });
}
