import type { WaitingExecution } from "@weft/client";

export type Outcome = { type: "answered"; label: string } | { type: "late" } | { type: "gone" };

/** A question of a run. With an outcome it waits no longer, and is shown until then. */
export type InboxEntry = {
  key: string;
  run: WaitingExecution;
  question: WaitingExecution["questions"][number];
  left?: { outcome: Outcome; untilMs: number };
};

/** A page of the list as the server returned it. `page` is from 1. */
export type InboxPageData = { page: number; data: readonly WaitingExecution[]; total: number };

/** How long an outcome is shown. */
const lingerMs = 6_000;

/**
 * What is shown after a refresh: the questions that wait, and for some seconds those that have left. A question that was
 * shown and is missing now was answered elsewhere, unless it may only have moved to another page.
 */
export function refreshEntries(shown: readonly InboxEntry[], fresh: InboxPageData, nowMs: number): InboxEntry[] {
  const waiting = toEntries(fresh.data);
  const waitingKeys = new Set(waiting.map(({ key }) => key));
  const oldest = fresh.data.at(-1)?.updatedDate ?? "";
  const isWhole = fresh.total <= fresh.data.length;
  const left = shown.flatMap((entry) => {
    if (entry.left !== undefined) return [entry];
    const isGone = fresh.page === 1 && (isWhole || entry.run.updatedDate > oldest);
    return isGone && !waitingKeys.has(entry.key) ? [leave(entry, { type: "gone" }, nowMs)] : [];
  });
  const leftKeys = new Set(left.map(({ key }) => key));
  return [...waiting.filter(({ key }) => !leftKeys.has(key)), ...left].sort(byDate);
}

export function leave(entry: InboxEntry, outcome: Outcome, nowMs: number): InboxEntry {
  return { ...entry, left: { outcome, untilMs: nowMs + lingerMs } };
}

function toEntries(runs: readonly WaitingExecution[]): InboxEntry[] {
  return runs.flatMap((run) =>
    run.questions.map((question) => ({ key: `${run.id} ${question.action.id}`, run, question })),
  );
}

/** As the server lists them: the run that asked last first; its questions in the order in which it asked them. */
function byDate(a: InboxEntry, b: InboxEntry): number {
  return (
    b.run.updatedDate.localeCompare(a.run.updatedDate) ||
    a.run.id.localeCompare(b.run.id) ||
    a.question.askedDate.localeCompare(b.question.askedDate)
  );
}
