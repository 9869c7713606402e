import type { HttpResponse } from "@weft/engine";

/**
 * What the model reads of an answer: its text as received, at most `maxCharacters` of it and then a note that it was
 * cut; a sentence for an empty or binary body. Error statuses come with a sentence that names them.
 */
export function toAnswerText(response: HttpResponse, maxCharacters: number): string {
  const status = `${response.status} ${response.statusText}`.trim();
  const isError = !isSuccess(response.status);
  if (response.body.length === 0) {
    return isError ? `The API answered ${status} without a body.` : `${status}: done, the answer has no body.`;
  }
  const text = decodeText(response);
  if (text === undefined) {
    const type = mediaTypeOf(response) || "unknown type";
    const size = response.truncated ? `more than ${response.body.length}` : `${response.body.length}`;
    return `${isError ? "The API answered " : ""}${status}: a binary answer (${type}, ${size} bytes), which is not shown.`;
  }
  const shown = cutText(text, maxCharacters, response.truncated);
  return isError ? `The API answered ${status}: ${shown}` : shown;
}

/** RFC 9110, 15.3. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** The text, or its beginning and a note that it was cut. `truncated`: the text is itself only a beginning. */
export function cutText(text: string, maxCharacters: number, truncated = false): string {
  if (text.length <= maxCharacters && !truncated) return text;
  const head = text.slice(0, maxCharacters);
  const whole = head.isWellFormed() ? head : head.slice(0, -1);
  const total = truncated ? "a longer answer" : `${text.length}`;
  return `${whole}\n[Cut here: the first ${whole.length} characters of ${total}. Ask for less, or for the next part, if the API can.]`;
}

const textTypes =
  /^(text\/.*|application\/(.*\+)?(json|xml|yaml|x-yaml|javascript|x-www-form-urlencoded|x-ndjson|graphql).*|)$/;

/** The body as text; nothing when it is binary. A body whose type is unknown is text when it decodes as UTF-8. */
function decodeText(response: HttpResponse): string | undefined {
  const isText = textTypes.test(mediaTypeOf(response));
  try {
    const charset = /charset="?([^";\s]+)/i.exec(response.headers["content-type"] ?? "")?.[1] ?? "utf-8";
    const decoder = new TextDecoder(isKnownCharset(charset) ? charset : "utf-8", { fatal: !isText });
    const text = decoder.decode(response.body, { stream: response.truncated });
    return text.includes("\u0000") ? undefined : text;
  } catch {
    return undefined;
  }
}

function isKnownCharset(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== "";
  } catch {
    return false;
  }
}

function mediaTypeOf(response: HttpResponse): string {
  return (response.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}
