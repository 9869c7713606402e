import type { PredictionRequest } from "@weft/schema";

const longestChatId = 200;

/**
 * Normalises sparse requests of clients: a session without a chat is the chat of that name, and an empty question
 * beside a form or an answer is ignored. Source: contract "Prediction".
 */
export function toMeant(request: PredictionRequest): PredictionRequest {
  const { overrideConfig, chatId, form, humanInput, question, ...rest } = request;
  const { sessionId } = overrideConfig ?? {};
  const named = typeof sessionId === "string" && sessionId !== "" && sessionId.length <= longestChatId;
  const isSilent = question === "" && (form !== undefined || humanInput !== undefined);
  const known = chatId ?? (named ? sessionId : undefined);
  return {
    ...rest,
    ...(overrideConfig !== undefined && { overrideConfig }),
    ...(form !== undefined && { form }),
    ...(humanInput !== undefined && { humanInput }),
    ...(question !== undefined && !isSilent && { question }),
    ...(known !== undefined && { chatId: known }),
  };
}
