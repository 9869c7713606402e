import assert from "node:assert/strict";
import { isTerminalEvent, type RunEvent } from "@weft/schema";
import type { TextDelta } from "../ports/observer.ts";
import { assertJournal } from "./fault.ts";
import { type FaultyRun, type Scenario, writeOf } from "./fault-runs.ts";
import { runId } from "./test-process.ts";

/** What the guarantees say of a run with faults, against the same run without. */
export function assertGuarantees(scenario: Scenario, base: FaultyRun, run: FaultyRun): void {
  const { world, label, events } = run;
  assertJournal(events, label);
  assert.deepEqual(world.problems, [], label);
  assert.deepEqual(world.journal.events(runId), events, `${label}: a process that lost the run wrote to its journal`);
  for (const [id, times] of world.writes) assert.equal(times, 1, `${label}: ${id} was written ${times} times`);
  for (const [id, keys] of world.keys) assert.equal(keys.size, 1, `${label}: ${id} was asked for under several keys`);
  const known = new Set([...base.world.writes.keys(), ...base.world.keys.keys()]);
  for (const id of [...world.writes.keys(), ...world.keys.keys()]) {
    assert.ok(known.has(id), `${label}: ${id} was written, which nobody wanted`);
  }
  assert.ok(world.children.size <= base.world.children.size, `${label}: a child run was begun twice`);
  for (const child of world.children.values()) {
    if (child.events(runId).some(isTerminalEvent)) assertJournal(child.events(runId), `${label}, child`);
  }
  assertWritten(run);
  assertAnsweredOnce(run);
  assertTold(run);
  assertStreamed(run);
  assertEnd(scenario, base, run);
}

const finishedIn = (events: readonly RunEvent[]) => events.filter((event) => event.type === "effect-finished");
const failedIn = (events: readonly RunEvent[]) => finishedIn(events).filter(({ outcome }) => !outcome.ok);

/** G13 What the journal says was written was written; where it does not know, it was written at most once. */
function assertWritten({ events, world, label }: FaultyRun): void {
  for (const { nodeKey, effectKey, kind } of events.filter((event) => event.type === "effect-started")) {
    if (kind !== "write") continue;
    const finish = finishedIn(events).find((other) => other.nodeKey === nodeKey && other.effectKey === effectKey);
    if (!finish?.outcome.ok || (finish.outcome.value as { isError?: boolean } | null)?.isError) continue;
    assert.ok(world.writes.has(writeOf(nodeKey, effectKey)), `${label}: ${nodeKey} ${effectKey} was not written`);
  }
}

/** G5 An answer is taken once: of two to the same question the first one counts. A run that fails waits no longer. */
function assertAnsweredOnce({ events, label }: FaultyRun): void {
  const answered = new Set(events.filter((event) => event.type === "node-resumed").map(({ waitId }) => waitId));
  const hasFailed = events.at(-1)?.type === "run-failed";
  for (const { wait } of events.filter((event) => event.type === "node-suspended")) {
    if (wait.asks === false && hasFailed) continue;
    assert.ok(answered.has(wait.waitId), `${label}: an answer was lost`);
  }
}

/** E4, G4 Listeners of a process hear what is durable, in order and once. */
function assertTold({ events, lives, label }: FaultyRun): void {
  const told = lives.flatMap(({ process }) => process.committed);
  for (const event of told)
    assert.deepEqual(event, events[event.seq - 1], `${label}: told of what is not in the journal`);
  for (const { process } of lives) {
    const seqs = process.committed.map(({ seq }) => seq);
    assert.deepEqual(
      seqs,
      seqs.toSorted((a, b) => a - b),
      `${label}: told in another order`,
    );
  }
  assert.equal(new Set(told.map(({ seq }) => seq)).size, told.length, `${label}: told of an event twice`);
}

/** G4 The words of a message are the beginning of what the journal keeps of it, and all of it where it was finished. */
function assertStreamed({ events, lives, label }: FaultyRun): void {
  for (const { process, fault } of lives) {
    for (const [seq, pieces] of byMessage(process.deltas)) {
      const text = pieces.map((piece) => piece.text).join("");
      let offset = 0;
      for (const piece of pieces) {
        assert.equal(piece.offset, offset, `${label}: a hole in message ${seq}`);
        offset += piece.text.length;
      }
      const begun = events[seq - 1];
      assert.ok(begun?.type === "effect-started", `${label}: words of a message that does not exist`);
      if (fault.isGivenUp) continue;
      const isToldFinished = process.committed.some(
        (event) =>
          event.type === "effect-finished" && event.nodeKey === begun.nodeKey && event.effectKey === begun.effectKey,
      );
      const finish = finishedIn(events).findLast(
        (event) => event.nodeKey === begun.nodeKey && event.effectKey === begun.effectKey,
      );
      if (isToldFinished && finish?.outcome.ok) {
        assert.equal(text, (finish.outcome.value as { text: string }).text, `${label}: message ${seq} is not whole`);
      }
    }
  }
}

function byMessage(deltas: readonly TextDelta[]): Map<number, TextDelta[]> {
  return Map.groupBy(deltas, ({ effectSeq }) => effectSeq);
}

/** The same end as without the fault, unless the journal says what failed, and that may fail. */
function assertEnd(scenario: Scenario, base: FaultyRun, { events, planned, label }: FaultyRun): void {
  const failed = failedIn(events).map(({ outcome }) => (outcome.ok ? "" : outcome.error.code));
  const isError = planned.some(({ way }) => way === "error");
  const allowed = failedIn(base.events).map(({ outcome }) => (outcome.ok ? "" : outcome.error.code));
  const more = isError ? ["flow-outcome-unknown", "egress-failed"] : ["flow-outcome-unknown"];
  for (const code of failed) assert.ok([...allowed, ...more].includes(code), `${label}: an effect failed with ${code}`);
  const end = events.at(-1);
  const hasFailed = failed.some((code) => more.includes(code));
  const isInjected = isError && end?.type === "run-failed" && end.error.code === "egress-failed";
  if (hasFailed || isInjected) return;
  assert.deepEqual(resultOf(end), resultOf(base.events.at(-1)), `${label}: another end than without the fault`);
  assert.equal(end?.type, scenario.end, label);
}

function resultOf(end: RunEvent | undefined) {
  if (end?.type === "run-completed") return { type: end.type, text: end.text, json: end.json };
  return end?.type === "run-failed" ? { type: end.type, code: end.error.code } : { type: end?.type };
}
