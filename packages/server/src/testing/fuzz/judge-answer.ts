import type { ApiAnswer, ApiDocument } from "../api-document.ts";
import type { FuzzRequest } from "./fuzz-request.ts";

/** Operations on which a failed flow, model or tool is a 500 of its own code. Source: contract "Statuses and errors". */
const mayFail = new Set([
  "createPrediction",
  "createInternalPrediction",
  "createChatCompletion",
  "testTool",
  "upsertDocuments",
  "refreshDocuments",
  "processLoader",
  "insertVectors",
  "upsertVectors",
  "queryDocumentStore",
  "deleteVectors",
]);

/** Why an answer must not be; undefined when it may. */
export function judgeAnswer(document: ApiDocument, request: FuzzRequest, answer: ApiAnswer): string | undefined {
  const { operation } = request;
  if (answer.status >= 500 && answer.status !== 503) {
    const code = codeOf(answer.text);
    const isExpected =
      mayFail.has(operation?.id ?? "") &&
      /^(flow|model|tool|agent|budget|egress|embedding|vector-store|credential)-/.test(code);
    if (!isExpected) return `${answer.status} ${code}`;
  }
  if (operation === undefined && ![404, 405].includes(answer.status)) {
    return `${answer.status} where there is nothing`;
  }
  const isSecret = operation !== undefined && operation.open === "never" && isStranger(request);
  if (isSecret && answer.status !== 401) return `${answer.status} without credentials`;
  const mistake = document.findMistake(operation, answer);
  const isStream = answer.status === 200 && answer.contentType?.startsWith("text/event-stream");
  return isStream && operation?.id !== "createChatCompletion" ? (mistake ?? judgeStream(answer.text)) : mistake;
}

function isStranger({ caller }: FuzzRequest): boolean {
  return caller === "nobody" || caller === "nonsense";
}

/** A stream is frames of three lines, the last of which says that it is the end. */
function judgeStream(text: string): string | undefined {
  const frames = text.split("\n\n").filter((frame) => frame !== "" && !frame.startsWith(":"));
  if (!frames.every((frame) => /^id:\S+\nmessage:\ndata:\{"event":"\w+","data":.*\}$/.test(frame))) {
    return "a frame is malformed";
  }
  return frames.at(-1)?.includes('{"event":"end"') ? undefined : "the stream has no end";
}

function codeOf(text: string): string {
  try {
    const { code, error } = JSON.parse(text);
    return String(code ?? error?.code);
  } catch {
    return "no JSON";
  }
}
