import { type Clock, type CompiledFlow, renderTemplate, toText } from "@weft/engine";
import { scheduleOf, webhookOf } from "@weft/nodes";
import { type Json, type JsonObject, type PredictionRequest, WeftError } from "@weft/schema";
import type { Place } from "@weft/workers";
import type { Caller } from "./admit.ts";
import type { Warning } from "./node-overrides.ts";

/** A message to an agent. */
export type Ask = {
  agentId: string;
  request: PredictionRequest;
  caller: Caller;
  chatType: "INTERNAL" | "EXTERNAL";
  /** Id of the run, where a repetition of the request must find it. */
  newId: string | undefined;
  /** What asks in place of a client. Without it a flow that begins otherwise takes no messages of clients. */
  trigger?: Trigger;
  /** Aborted when the client goes away. */
  signal?: AbortSignal;
  /** What `arrive` gave it. Without it the message arrives when it is asked. */
  place?: Place | undefined;
};

/** What begins a run in place of a message. */
export type Trigger = {
  /** The request that a webhook took. */
  webhook?: JsonObject;
  /** What its question lacks. */
  warnings: readonly Warning[];
};

/** Throws `validation-failed` for a message to a flow that a webhook or a schedule begins. */
export function assertTakesMessages(flow: CompiledFlow, agentId: string): void {
  if (webhookOf(flow)) refuse(`this agent is started by its webhook: send the request to /webhook/${agentId}`);
  if (scheduleOf(flow)) refuse("this agent is started by its schedule and does not accept messages");
}

export type QuestionFacts = Pick<Trigger, "webhook"> & { vars: JsonObject; clock: Pick<Clock, "now"> };

/** The question that a trigger asks, with what is known before a run: the request, the variables and the time. */
export function renderQuestion(text: string, facts: QuestionFacts): { question: string; warnings: Warning[] } {
  const { webhook = {}, vars, clock } = facts;
  const warnings: Warning[] = [];
  const roots = new Map<string, Json>([
    ["$webhook", webhook],
    ["$vars", vars],
    ["current_date_time", new Date(clock.now()).toISOString()],
  ]);
  const scope = { root: (name: string) => roots.get(name), node: () => undefined };
  const onUnknown = (source: string) =>
    warnings.push({ code: "template-unknown", message: `${source} in the start node's question had no value.` });
  return { question: toText(renderTemplate(text, scope, { onUnknown })), warnings };
}

function refuse(reason: string): never {
  throw new WeftError("validation-failed", { params: { reason } });
}
