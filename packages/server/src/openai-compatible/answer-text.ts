import { WeftError } from "@weft/schema";
import type { Frame } from "../predictions/stream-frames.ts";

/**
 * The text of a stream for a client from which nothing can be taken back.
 * `read` gives what a frame adds. When a model was asked again, nothing is added until its new text goes beyond what
 * was sent; it throws `model-invalid-answer` when it is another text.
 */
export type AnswerText = { read(frame: Frame): string };

export function createAnswerText(): AnswerText {
  let sent = "";
  /** What stands of it. Shorter than `sent` while a voided text is said again. */
  let said = "";
  let hasCalledTools = false;

  function add(token: string): string {
    const isNew = said.length === sent.length;
    said += token;
    if (!isNew && !said.startsWith(sent.slice(0, said.length))) throw otherText();
    const piece = said.slice(sent.length);
    if (piece !== "") sent = said;
    return piece;
  }

  return {
    read({ event, data }) {
      if (event === "calledTools") hasCalledTools = sent !== "";
      if (event === "restart") said = said.slice(0, keptBy(data));
      if (event !== "token") return "";
      const piece = add(String(data));
      if (piece === "" || !hasCalledTools) return piece;
      hasCalledTools = false;
      return `\n\n${piece}`;
    },
  };
}

/** How much of the answer's text a `restart` leaves; those of other nodes leave all of it. */
function keptBy(data: Frame["data"]): number {
  const { keep, nodeKey } = data as { keep: number; nodeKey?: string };
  return nodeKey === undefined ? keep : Number.POSITIVE_INFINITY;
}

function otherText(): WeftError {
  return new WeftError("model-invalid-answer", {
    params: { reason: "it broke off and answered otherwise when it was asked again. Ask once more" },
  });
}
