import {
  applyEvent,
  type CompiledFlow,
  dueWaits,
  emptyRunState,
  endBySignal,
  endByTime,
  type OpenWait,
  openQuestions,
  openWaits,
  type Resumption,
  type RunState,
  type WithGraph,
} from "@weft/engine";
import { type Json, type JsonObject, type RunEvent, WeftError } from "@weft/schema";
import { labelsOf, turnOf } from "../journal/index.ts";

/** A human's answer to a question. */
export type HumanAnswer = { type: "proceed" | "reject"; feedback?: string | undefined };

export type Answering = {
  answer: HumanAnswer;
  /** The text shown in the chat. Default: the feedback, else the label of the answer. */
  content?: string | undefined;
  waitId: string;
  /** The answerer's display name; absent for visitors. */
  answeredBy?: string | undefined;
};

/** A signal that a run may wait for, and its payload. */
export type RunSignal = { name: string; payload: Json };

export type LoadedJournal = { flow: CompiledFlow; events: readonly RunEvent[] };

type Facts = { now: number; newId: () => string };

/** The event that answers a question of a suspended run. Throws `conflict` if the question is no longer open. */
export function answerQuestion(
  { flow, events }: LoadedJournal,
  { answer, content, waitId, answeredBy }: Answering,
  { newId }: Facts,
): Resumption[] {
  const open = questionsOf(flow, events).find(({ wait }) => wait.waitId === waitId);
  if (open === undefined) throw notOpen();
  const { nodeKey, wait } = open;
  const { type, feedback } = answer;
  const said: JsonObject = feedback === undefined ? { type } : { type, feedback };
  const turn = { userMessageId: newId(), apiMessageId: newId(), content: content || feedback || labelOf(open, type) };
  const by = answeredBy === undefined ? {} : { answeredBy };
  return [{ nodeKey, nodeId: wait.nodeId, waitId: wait.waitId, answer: said, turn, ...by }];
}

/** The events that end the waits that are due. */
export function endDue(journal: LoadedJournal, { now, newId }: Facts): Resumption[] {
  const state = stateOf(journal);
  return beginTurn(journal, state, dueWaits(state, now).map(endByTime), newId);
}

/** The events that end the waits for a signal; none if the run does not wait for it. */
export function endSignalled(
  journal: LoadedJournal,
  { name, payload }: RunSignal,
  { now, newId }: Facts,
): Resumption[] {
  const state = stateOf(journal);
  const open = openWaits(state).filter(({ wait }) => wait.signal === name);
  return beginTurn(
    journal,
    state,
    open.map((wait) => endBySignal(wait, payload, now)),
    newId,
  );
}

/** The waits in a run's journal, in the order in which they began. */
export function waitsOf(flow: WithGraph, events: readonly RunEvent[]): OpenWait[] {
  return openWaits(stateOf({ flow, events }));
}

/** The questions to a human in a run's journal, in the order asked. */
export function questionsOf(flow: WithGraph, events: readonly RunEvent[]): OpenWait[] {
  return openQuestions(stateOf({ flow, events }));
}

export function notOpen(): WeftError {
  return new WeftError("conflict", {
    params: {
      reason: "This question is no longer waiting for an answer: it was already answered, or its run has ended.",
    },
  });
}

/** A caller that was already answered gets the rest as another message, which no user message precedes. */
function beginTurn(
  { events }: LoadedJournal,
  { pause }: RunState,
  [first, ...others]: readonly Resumption[],
  newId: () => string,
): Resumption[] {
  if (first === undefined) return [];
  if (pause !== "answered") return [first, ...others];
  return [{ ...first, turn: { apiMessageId: newId(), content: turnOf(events)?.content ?? "" } }, ...others];
}

function stateOf({ flow, events }: { flow: WithGraph; events: readonly RunEvent[] }): RunState {
  const state = emptyRunState();
  for (const event of events) applyEvent(state, flow.graph, event);
  return state;
}

function labelOf({ wait }: OpenWait, type: HumanAnswer["type"]): string {
  const { approve, reject } = labelsOf(wait.details);
  return type === "proceed" ? approve : reject;
}
