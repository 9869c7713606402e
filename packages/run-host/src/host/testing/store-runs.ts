import { randomUUID } from "node:crypto";
import type { RunEvent, RunEventBody } from "@weft/schema";
import type { createRunStore, NewRun } from "../../journal/run.store.ts";

export const leaseMs = 60_000;
const at = Date.parse("2025-06-01T12:00:00.000Z");
export const warned: RunEventBody = { type: "run-warned", code: "test", message: "" };
const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
export const completed: RunEventBody = { type: "run-completed", text: "Done.", answerNodeKey: null, usage };

type Store = ReturnType<typeof createRunStore>;

export async function createRun(
  store: Store,
  fields: Partial<NewRun> = {},
  offsetMs = 0,
  owner = "p1",
): Promise<NewRun> {
  const run = { ...newRun(), ...fields };
  const events = journal(1, started(run)).map((event) => ({ ...event, at: event.at + offsetMs }));
  await store.create({ run, events, owner, leaseMs });
  return run;
}

export function newRun(): NewRun {
  const ids = { id: randomUUID(), agentId: randomUUID(), agentVersionId: randomUUID() };
  return { ...ids, chatId: randomUUID(), sessionId: randomUUID(), chatType: "EXTERNAL", owner: "" };
}

/** Events numbered from `firstSeq`, a millisecond apart. */
export function journal(firstSeq: number, ...bodies: RunEventBody[]): RunEvent[] {
  return bodies.map((body, index) => ({ ...body, seq: firstSeq + index, at: at + firstSeq + index }));
}

export function started(run: NewRun): RunEventBody {
  const { agentId, agentVersionId, chatId, sessionId } = run;
  const messages = { userMessageId: `${run.id}-user`, apiMessageId: `${run.id}-api` };
  const session = { agentId, flowVersionId: agentVersionId, chatId, sessionId, chatType: "EXTERNAL" as const };
  return { type: "run-started", ...session, ...messages, input: { question: "?" }, depth: 0 };
}
