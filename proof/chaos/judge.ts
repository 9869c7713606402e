import type { Facts } from "./house/facts.ts";

/** What must not be, each kind with a sentence for every time that it was. */
export type Verdict = Record<(typeof violations)[number], string[]>;

export const violations = [
  "lost",
  "writes",
  "effects",
  "order",
  "stuck",
  "streams",
  "odd",
  "broken",
  "backups",
] as const;

const maxReconnects = 200;
const ended = ["FINISHED", "TERMINATED"];

/** Decides from the recorded facts alone, so that a tampered record shows that each check can fail. */
export function judge(facts: Facts): Verdict {
  return {
    lost: facts.runs.flatMap(({ id, load, state }) =>
      state === undefined ? `The run ${id} (${load}) was accepted and is not there.` : [],
    ),
    writes: facts.writes.flatMap(({ what, isThere }) => (isThere ? [] : `${what} was acknowledged and is not there.`)),
    effects: [
      ...facts.effects.flatMap(toEffectProblem),
      ...facts.onlyOnce.flatMap(({ what, times }) => (times === 1 ? [] : `${what} took effect ${times} times.`)),
    ],
    order: facts.sessions.flatMap(toOrderProblem),
    stuck: [
      ...facts.stuck,
      ...facts.runs.flatMap(({ id, load, state }) =>
        state === "INPROGRESS" ? `The run ${id} (${load}) still goes on.` : [],
      ),
    ],
    streams: facts.streams.flatMap(({ runId, reconnects, problem }) => {
      if (problem !== undefined) return `The stream of ${runId}: ${problem}`;
      return reconnects > maxReconnects ? `The stream of ${runId} took ${reconnects} connections.` : [];
    }),
    odd: [
      ...facts.odd,
      ...facts.runs.flatMap(({ id, load, state }) =>
        state === undefined || state === "INPROGRESS" || ended.includes(state)
          ? []
          : `The run ${id} (${load}) ended as ${state}.`,
      ),
    ],
    broken: facts.broken,
    backups: facts.backups,
  };
}

function toEffectProblem({ id, count, said }: Facts["effects"][number]): string | [] {
  if (count > 1) return `The write ${id} reached the called server ${count} times.`;
  if (said === "done" && count === 0)
    return `The write ${id} was reported as done and never reached the called server.`;
  return [];
}

function toOrderProblem({ chatId, asked, answers }: Facts["sessions"][number]): string | [] {
  const expected = Array.from({ length: asked }, (_, index) => `${index + 1}`);
  if (answers.join() === expected.join()) return [];
  return `The session ${chatId} was asked ${asked} times and answered ${answers.join(", ") || "nothing"}.`;
}

/** Changes the record so that a check must fail. */
export function tamper(facts: Facts, kind: string): void {
  const id = "00000000-0000-4000-8000-000000000000";
  const changes: Record<string, () => unknown> = {
    lost: () => facts.runs.push({ id, load: "tampered", state: undefined }),
    writes: () => facts.writes.push({ what: "A write", isThere: false }),
    effects: () => facts.effects.push({ id, count: 2, said: "done" }),
    order: () => facts.sessions.push({ chatId: id, asked: 2, answers: ["2", "1"] }),
    stuck: () => facts.runs.push({ id, load: "tampered", state: "INPROGRESS" }),
    streams: () => facts.streams.push({ runId: id, reconnects: 0, problem: "tampered" }),
    odd: () => facts.odd.push("418 tampered"),
    broken: () => facts.broken.push("tampered"),
    backups: () => facts.backups.push("tampered"),
  };
  changes[kind]?.();
}
