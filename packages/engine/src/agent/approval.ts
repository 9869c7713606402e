import {
  effectOfMethod,
  type Json,
  type JsonObject,
  type RunInput,
  type ToolEffect,
  toJsonObject,
  WeftError,
  type WriteRuling,
} from "@weft/schema";
import type { NodeContext, Suspension } from "../node-type.ts";
import type { HttpClient } from "../ports/http-client.ts";
import type { EffectServices, Tool } from "../ports/tool.ts";

type GuardedCall = {
  /** The model's id for the call. Absent when the flow itself makes it. */
  id?: string;
  name: string;
  args: JsonObject;
  /** Identifies the call within its node. */
  key: string;
  effect: ToolEffect;
  /** The flow asks a person for approval, no matter who started the run. */
  requiresApproval?: boolean | undefined;
  /** Labels of the approval buttons, if the flow sets them. */
  labels?: Tool["approvalLabels"];
};

/** The part of a node's context that decides whether a call is allowed. */
export type GuardContext = Pick<NodeContext, "label" | "answers"> & {
  readonly run: { readonly input: RunInput };
};

/** `refused` carries the reason, as a sentence for a model or the flow's author. */
export type Guarded = { type: "allowed" } | { type: "refused"; message: string } | Suspension;

/**
 * The single gate for every call that may change the world. In a visitor's run, changes that the agent allows to
 * visitors go through; others are refused, or held for a person with an account. Visitors cannot approve them
 * themselves. A replay asks about every change.
 */
export function guardCall(context: GuardContext, call: GuardedCall): Guarded {
  const ruling = rulingOn(context, call.effect);
  if (ruling === "refuse") return { type: "refused", message: refusal(call.name) };
  if (ruling === "allow" && !call.requiresApproval) return { type: "allowed" };
  const approval = readApproval(context.answers.get(call.key), call.name);
  return approval ?? askApproval(context, call, ruling === "ask");
}

/** An HTTP client for the flow author's code that remembers its first refusal. */
type GuardedHttp = HttpClient & { refusal(): WeftError | undefined };

/**
 * Like `guardCall`, for requests that code makes while it runs. Nobody can be asked at that point, so a call that needs
 * approval is refused too. Rejects with `flow-call-refused`, which says what to do, and sends nothing.
 */
export function guardHttp(context: GuardContext, http: HttpClient): GuardedHttp {
  let refused: WeftError | undefined;
  return {
    refusal: () => refused,
    async request(call) {
      const method = call.method.toUpperCase();
      const ruling = rulingOn(context, effectOfMethod(method));
      if (ruling === "allow") return http.request(call);
      const name = `${method} ${URL.parse(call.url)?.origin ?? "an address"}`;
      const reason = ruling === "ask" ? unaskable(name, context.run.input) : refusal(name);
      const error = new WeftError("flow-call-refused", { params: { reason } });
      refused ??= error;
      throw error;
    },
  };
}

export function effectOf(effect: Tool["effect"], args: JsonObject, services: EffectServices): ToolEffect {
  return typeof effect === "function" ? effect(args, services) : effect;
}

function rulingOn({ run }: GuardContext, effect: ToolEffect): WriteRuling {
  const { visitorWrites, isReplay = false } = run.input;
  const ruling = visitorWrites === undefined || effect === "read" ? "allow" : visitorWrites[effect];
  return isReplay && effect !== "read" && ruling === "allow" ? "ask" : ruling;
}

function refusal(name: string): string {
  return `This agent does not let visitors have ${name} called, so nothing was called. Tell the user that the team has to do this.`;
}

function unaskable(name: string, { isReplay }: RunInput): string {
  if (isReplay) {
    return `In a replay a person has to approve what changes something, and the code of a function cannot wait for one: ${name} was not sent. Make this request with an HTTP step or a tool, or change what this step gives and replay from the next one.`;
  }
  return `On this agent a person has to approve what visitors cause, and the code of a function cannot wait for one: ${name} was not sent. Make this request with an HTTP step or a tool, which wait for the person, or allow it for visitors in the agent's settings.`;
}

function askApproval(
  { label }: GuardContext,
  { id, name, args, key, labels }: GuardedCall,
  needsAccount: boolean,
): Suspension {
  const question = needsAccount ? "A person on the team has to allow it." : "May it?";
  return {
    type: "suspend",
    key,
    text: `${label} wants to call ${name} with:\n\n${JSON.stringify(args, null, 2)}\n\n${question}`,
    details: {
      kind: "tool-approval",
      toolCalls: [{ ...(id === undefined ? {} : { id }), name, arguments: args }],
      ...(needsAccount ? { needsAccount } : {}),
      ...(labels === undefined ? {} : { labels: { ...labels } }),
    },
  };
}

/** Reads a human's answer, `{ type, feedback? }`. Undefined without an answer, or if it is neither yes nor no. */
function readApproval(answer: Json | undefined, toolName: string): Guarded | undefined {
  const { type, feedback } = toJsonObject(answer);
  if (type === "proceed" || type === "approve") return { type: "allowed" };
  if (type !== "reject") return undefined;
  const said = typeof feedback === "string" && feedback.trim() !== "" ? ` They said: ${feedback.trim()}` : "";
  const message = `A person did not allow this call of ${toolName}, so nothing was called.${said}`;
  return { type: "refused", message: `${message} Go on without it, or ask the user.` };
}
