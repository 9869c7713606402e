import type { Json, RunError, RunEvent } from "@weft/schema";

export type RetryFacts = { runId: string; apiMessageId: string; now: number };

/**
 * The journal of a run that goes on where a failed one stopped: everything that happened, but for what it failed with.
 * The failures that ended a step are left out, and so are the effects whose failure they were: these steps go on, their
 * finished effects return what they returned, and what failed is attempted anew. Undefined for a run that did not fail.
 */
export function toRetryJournal(events: readonly RunEvent[], facts: RetryFacts): RunEvent[] | undefined {
  const [started] = events;
  if (started?.type !== "run-started" || events.at(-1)?.type !== "run-failed") return undefined;
  const causes = findCauses(events);
  const failed = new Set(events.flatMap((event) => (isCause(event, causes) ? [effectOf(event)] : [])));
  const { runId: retriedFrom, apiMessageId, now } = facts;
  const kept = events.slice(1, -1).filter((event) => {
    if (event.type === "node-failed") return event.next.type !== "stop";
    if (event.type === "effect-started" || event.type === "effect-finished") return !failed.has(effectOf(event));
    return true;
  });
  return [{ ...started, retriedFrom, apiMessageId, at: now }, ...kept].map((event, index) => ({
    ...event,
    seq: index + 1,
  }));
}

/** What ended each step that failed for good. */
function findCauses(events: readonly RunEvent[]): Map<string, RunError> {
  return new Map(
    events.flatMap((event) =>
      event.type === "node-failed" && event.next.type === "stop" ? [[event.nodeKey, event.error] as const] : [],
    ),
  );
}

function isCause(event: RunEvent, causes: ReadonlyMap<string, RunError>): event is RunEvent & EffectEvent {
  if (event.type !== "effect-finished" || event.outcome.ok) return false;
  const cause = causes.get(event.nodeKey);
  return cause !== undefined && isSame(cause, event.outcome.error);
}

type EffectEvent = { nodeKey: string; effectKey: string };

function effectOf({ nodeKey, effectKey }: EffectEvent): string {
  return `${nodeKey}:${effectKey}`;
}

function isSame(a: RunError, b: RunError): boolean {
  const facts = ({ code, message, upstream }: RunError): Json => [code, message, upstream?.status ?? null];
  return JSON.stringify(facts(a)) === JSON.stringify(facts(b));
}
