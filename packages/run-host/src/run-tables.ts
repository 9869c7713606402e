/** Facts of a run's journal, stored beside it so that lists and recovery need not fold it. */
export type RunRow = {
  id: string;
  agentId: string;
  agentVersionId: string;
  chatId: string;
  sessionId: string;
  chatType: string;
  /** `running`, `suspended`, `completed`, `failed` or `cancelled`. */
  status: string;
  lastSeq: number;
  /** Fencing token: raised by every take-over. */
  leaseEpoch: number;
  /** Process that owns the run; null if none does. */
  leaseOwner: string | null;
  /** Milliseconds since the epoch on the database's clock. */
  leaseUntil: number;
  /** A cancel was requested. */
  cancelRequested: number;
  createdDate: string;
  updatedDate: string;
  stoppedDate: string | null;
  /** Code of the error that it failed with. */
  errorCode: string | null;
  /** JSON text of what lists show of the run. */
  summary: string | null;
  /** Owner of the chat: `account:<id>`, `client:<id>`, `anonymous`, or empty if it predates owners. */
  owner: string;
  /** The place in the session, while the run is running; null for a run without one (`runs/session-turns.ts`). */
  turnOrder: number | null;
  /** How often in succession the run was taken over without finishing anything after `takeOverSeq`. */
  takeOvers: number;
  /** `lastSeq` when the run was last taken over. */
  takeOverSeq: number;
  /**
   * When the run resumes by itself, in milliseconds since the epoch; null unless it waits for a moment. A running run
   * without a lease is left alone until then.
   */
  dueAt: number | null;
  /** From start to end; null until the run has ended. */
  durationMs: number | null;
  /** Null while unknown. */
  totalTokens: number | null;
  /** In billionths of a US dollar, at the prices when the run ended or paused; null if a model has no known price. */
  costNanos: number | null;
};

/** A run as the owner of its lease names it. */
export type LeasedRun = Pick<RunRow, "id" | "leaseEpoch">;

/** A run, and up to where its journal is known. */
export type RecordedRun = Pick<RunRow, "id" | "lastSeq">;

export type ChatOfRun = Pick<RunRow, "agentId" | "chatId" | "owner">;

/** What decides who may see a run. */
export type VisibleRun = Pick<RunRow, "agentId" | "chatType" | "owner">;

/**
 * All columns, by name: on PostgreSQL, statements with `*` are not prepared, because a newer release may add a column.
 */
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
export type PromptPartRow = ChatOfRun & {
  /** From 1, in the order in which they were first told. */
  no: number;
  hash: string;
  /** As JSON, packed like the text of an event. */
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
