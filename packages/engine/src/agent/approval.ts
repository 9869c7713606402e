import type { Json, JsonObject } from "@weft/schema";
import type { NodeContext, Suspension } from "../node-type.ts";
import type { ModelToolCall } from "../ports/chat-model.ts";

/** Asks a human whether a call may be made. `key` names the call within its node. */
export function askApproval(
  { label }: NodeContext,
  { id, name }: ModelToolCall,
  { args, key }: { args: JsonObject; key: string },
): Suspension {
  return {
    type: "suspend",
    key,
    text: `${label} wants to call ${name} with:\n\n${JSON.stringify(args, null, 2)}\n\nMay it?`,
    details: { kind: "tool-approval", toolCalls: [{ id, name, arguments: args }] },
  };
}

export type Approval = { isApproved: true } | { isApproved: false; message: string };

/** Reads a human's answer, `{ type, feedback? }`. Undefined for none, and for one that says neither yes nor no. */
export function readApproval(answer: Json | undefined, toolName: string): Approval | undefined {
  const { type, feedback } = (answer ?? {}) as { type?: Json; feedback?: Json };
  if (type === "proceed" || type === "approve") return { isApproved: true };
  if (type !== "reject") return undefined;
  const said = typeof feedback === "string" && feedback.trim() !== "" ? ` They said: ${feedback.trim()}` : "";
  const message = `A person did not allow this call of ${toolName}, so nothing was called.${said}`;
  return { isApproved: false, message: `${message} Go on without it, or ask the user.` };
}
