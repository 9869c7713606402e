import type { ModelAnswer, ModelCall } from "@weft/engine/ports/chat-model";
import { parseJson } from "@weft/schema";
import { invalidAnswer } from "../failure/model-failure.ts";
import type { ChatStream } from "../http-chat-model.ts";
import { type AskedModel, createChatAnswerReader, readChatAnswer } from "./chat-answer.ts";
import { createEventReader } from "./event-stream.ts";

/**
 * Reads the response to a streaming request: events, or, from servers that do not stream or failed before the stream, a
 * single body. A body of JSON lines is read as events without their field names. The first character decides.
 */
export function openChatStream(call: ModelCall, model: AskedModel): ChatStream {
  const reader = createChatAnswerReader(call, model);
  const events = createEventReader(reader.add);
  const whole: Buffer[] = [];
  let leftBytes = mostWholeBytes;
  let isStream = false;
  return {
    push(bytes) {
      if (isStream) return events.push(bytes);
      const first = whole.length === 0 ? firstCharacter(bytes) : "{";
      if (first === "{") {
        leftBytes -= bytes.byteLength;
        if (leftBytes < 0) throw invalidAnswer("it is too large for one in one piece");
        whole.push(Buffer.from(bytes));
        return;
      }
      isStream = first !== "";
      events.push(bytes);
    },
    finish() {
      if (whole.length > 0) return readPlain(withoutMark(Buffer.concat(whole).toString("utf8")), call, model);
      events.end();
      return reader.finish();
    },
  };
}

/** Limit of a body that is buffered and read at once, whatever its content type. The client limits its lines. */
const mostWholeBytes = 8 * 1_024 ** 2;

/** Empty for only white space or a byte order mark. */
function firstCharacter(bytes: Uint8Array): string {
  return withoutMark(Buffer.from(bytes).toString("utf8")).trimStart().slice(0, 1);
}

function withoutMark(text: string): string {
  return text.replace(/^\ufeff/, "");
}

function readPlain(body: string, call: ModelCall, model: AskedModel): ModelAnswer {
  if (parseJson(body) !== undefined || !body.trim().includes("\n")) return readChatAnswer(body, call, model);
  const reader = createChatAnswerReader(call, model);
  for (const line of body.split("\n")) if (line.trim() !== "") reader.add(line);
  return reader.finish();
}
