import type { ToolResult } from "@weft/engine/ports/tool";
import type { Json } from "@weft/schema";
import { cutText } from "../calls/call-http.ts";

/** How a vendor refuses calls. */
export type RefusalRules = {
  /** The vendor's words where it refuses a call with a status of success. Default: it never does. */
  toRefusal?(answer: Json): string | undefined;
  /** What to do about a status, in place of the general advice. */
  remedies?: Readonly<Record<number, string>>;
};

const maxErrorCharacters = 2_000;

const general: Readonly<Record<number, string>> = {
  401: "The credential is not accepted: sign in again and enter the new token in it.",
  403: "If the credential lacks the permission, sign in again with the scopes of this API and enter the new token in it.",
  404: "Check the ids: list what there is first.",
  429: "Too many calls: wait before the next one, or ask for less.",
};

/** Adds what to do to the vendor's own words; the result itself where nothing was refused. */
export function explainRefusal(
  { result, answer }: { result: ToolResult; answer: Json | undefined },
  { toRefusal, remedies = {} }: RefusalRules,
): ToolResult {
  if (!result.isError) {
    const refusal = answer === undefined ? undefined : toRefusal?.(answer);
    return refusal === undefined ? result : { ...result, content: refusal, isError: true };
  }
  const { status, retryAfter } = result.details ?? {};
  const remedy = typeof status === "number" ? (remedies[status] ?? general[status]) : undefined;
  const wait = typeof retryAfter === "string" ? `Call it again after ${retryAfter}.` : undefined;
  const lines = [cutText(result.content, maxErrorCharacters), remedy, wait];
  return { ...result, content: lines.filter((line) => line !== undefined).join("\n") };
}
