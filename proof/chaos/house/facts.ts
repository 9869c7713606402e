/** What one case has seen: what the servers promised, and what was found when everything was quiet again. */
export type Facts = {
  operations: number;
  faults: number;
  /** Runs that a server said it had accepted. `state`: what it says of them at the end; undefined when it knows none. */
  runs: { id: string; load: string; state: string | undefined }[];
  /** Writes that were answered with success, and whether they are there at the end. */
  writes: { what: string; isThere: boolean }[];
  /** Tool calls that write, as often as they reached the called server, and what the agent says came of them. */
  effects: { id: string; count: number; said: "done" | "unknown" }[];
  /** Conversations whose answers say how many questions they have seen. */
  sessions: { chatId: string; asked: number; answers: string[] }[];
  /** Requests that were sent several times at once, or answers of which one counts; `times`: how often they did. */
  onlyOnce: { what: string; times: number }[];
  streams: { runId: string; reconnects: number; problem: string | undefined }[];
  /** What went on, and was not over, when everything was quiet. */
  stuck: string[];
  /** Answers that nothing explains. */
  odd: string[];
  /** Servers that ended by themselves, and what the database holds that cannot be. */
  broken: string[];
  /** Backups that were not made, did not restore, or lack what was acknowledged before. */
  backups: string[];
  /** From a fault to the answer of what it broke off, as the client that asks again sees it, in milliseconds. */
  recoveries: number[];
};

export function noFacts(): Facts {
  return {
    operations: 0,
    faults: 0,
    runs: [],
    writes: [],
    effects: [],
    sessions: [],
    onlyOnce: [],
    streams: [],
    stuck: [],
    odd: [],
    broken: [],
    backups: [],
    recoveries: [],
  };
}
