import { applyEvent, type CompiledFlow, emptyRunState, type OpenWait, openWaits } from "@weft/engine";
import { type JsonObject, type RunEvent, type RunEventOf, WeftError } from "@weft/schema";
import { labelsOf } from "../journal/index.ts";

/** What a human says to a question. */
export type HumanAnswer = { type: "proceed" | "reject"; feedback?: string | undefined };

export type Answering = {
  answer: HumanAnswer;
  /** What the chat shows as said. Default: the feedback, else the label of the answer. */
  content?: string | undefined;
  /** The question. */
  waitId: string;
  /** The answerer, as people know it; absent for visitors. */
  answeredBy?: string | undefined;
};

/** An answer, and the turn of the chat that it begins. */
export type Resumption = Omit<RunEventOf<"node-resumed">, "type"> & {
  turn: NonNullable<RunEventOf<"node-resumed">["turn"]>;
};

type Journal = { flow: CompiledFlow; events: readonly RunEvent[] };

/** The event that answers a question of a suspended run. Throws `conflict` when the question is not open any more. */
export function toResumption(
  { flow, events }: Journal,
  { answer, content, waitId, answeredBy }: Answering,
  newId: () => string,
): Resumption {
  const open = waitsOf(flow, events).find(({ wait }) => wait.waitId === waitId);
  if (open === undefined) throw notOpen();
  const { nodeKey, wait } = open;
  const { type, feedback } = answer;
  const said: JsonObject = feedback === undefined ? { type } : { type, feedback };
  const turn = { userMessageId: newId(), apiMessageId: newId(), content: content || feedback || labelOf(open, type) };
  const by = answeredBy === undefined ? {} : { answeredBy };
  return { nodeKey, nodeId: wait.nodeId, waitId: wait.waitId, answer: said, turn, ...by };
}

/** What a run with this journal waits for, in the order in which it was asked. */
export function waitsOf({ graph }: Pick<CompiledFlow, "graph">, events: readonly RunEvent[]): OpenWait[] {
  const state = emptyRunState();
  for (const event of events) applyEvent(state, graph, event);
  return openWaits(state);
}

export function notOpen(): WeftError {
  return new WeftError("conflict", {
    params: {
      reason: "This question is no longer waiting for an answer: it was already answered, or its run has ended.",
    },
  });
}

function labelOf({ wait }: OpenWait, type: HumanAnswer["type"]): string {
  const { approve, reject } = labelsOf(wait.details);
  return type === "proceed" ? approve : reject;
}
