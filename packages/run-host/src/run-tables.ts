/** What the journal says of a run, kept beside it so that lists and recovery need not fold it. */
export type RunRow = {
  id: string;
  agentId: string;
  agentVersionId: string;
  chatId: string;
  sessionId: string;
  chatType: string;
  /** `running`, `suspended`, `completed`, `failed` or `cancelled`. */
  status: string;
  /** Last sequence number of the journal. */
  lastSeq: number;
  /** Fencing token: raised by every take-over. */
  leaseEpoch: number;
  /** Process that owns the run, null when none does. */
  leaseOwner: string | null;
  /** Milliseconds since the epoch on the database's clock. */
  leaseUntil: number;
  /** A cancel was asked for. */
  cancelRequested: number;
  createdDate: string;
  updatedDate: string;
  /** When the run ended. */
  stoppedDate: string | null;
  /** What it failed with. */
  errorCode: string | null;
  /** JSON text of what lists show of the run. */
  summary: string | null;
  /** Whose chat it is: `account:<id>`, `client:<id>`, `anonymous`, or empty where it is from before owners. */
  owner: string;
  /** The place in the session, while the run runs; null for a run that has none (`runs/session-turns.ts`). */
  turnOrder: number | null;
  /** How often the run was taken over in succession without finishing anything after `takeOverSeq`. */
  takeOvers: number;
  /** `lastSeq` when the run was last taken over. */
  takeOverSeq: number;
  /**
   * When the run goes on by itself, in milliseconds since the epoch; null unless it waits for a moment. A running run that
   * nobody has a lease of is left alone until then.
   */
  dueAt: number | null;
  /** From the beginning to the end; null until the run has ended. */
  durationMs: number | null;
  /** Null while nothing is known of it. */
  totalTokens: number | null;
  /** In billionths of a US dollar, by the prices when the run ended or paused; null where a model has no known price. */
  costNanos: number | null;
};

/** All columns, by name: PostgreSQL prepares no statement that says `*`, because a newer release may add one. */
export const runColumns = [
  ...(["id", "agentId", "agentVersionId", "chatId", "sessionId", "chatType", "status", "lastSeq"] as const),
  ...(["leaseEpoch", "leaseOwner", "leaseUntil", "cancelRequested", "createdDate", "updatedDate"] as const),
  ...(["stoppedDate", "errorCode", "summary", "owner", "turnOrder", "takeOvers", "takeOverSeq", "dueAt"] as const),
  ...(["durationMs", "totalTokens", "costNanos"] as const),
] satisfies readonly (keyof RunRow)[];

export type RunEventRow = {
  runId: string;
  seq: number;
  at: number;
  type: string;
  /** The rest of the event, as `journal/event-row.ts` writes and reads it. */
  event: string;
};

/** Steps of a run imported from another server. The run itself is in `runs` and has no journal. */
export type ImportedRunRow = {
  runId: string;
  /** JSON text of the flow's state as the run left it. */
  flowState: string;
  /** JSON text: list of the executed steps. */
  executionData: string;
};

/** A message that models were told in a chat. */
export type PromptPartRow = Pick<RunRow, "agentId" | "chatId" | "owner"> & {
  /** From 1, in the order in which they were first told. */
  no: number;
  hash: string;
  /** As JSON, packed as the text of an event is. */
  message: string;
};

declare module "@weft/database" {
  interface Tables {
    runs: RunRow;
    runEvents: RunEventRow;
    promptParts: PromptPartRow;
    importedRuns: ImportedRunRow;
  }
}
