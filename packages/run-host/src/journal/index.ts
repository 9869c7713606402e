export { eventColumns, fromEventRow, isLongerThan, toEventRow } from "./event-row.ts";
export { holdRun } from "./hold-run.ts";
export { removeLongParts, removePartsOf, restorePrompts } from "./prompt-parts.ts";
export type { ReadyClaim, ReadyCount, ReadyRuns } from "./ready-run.store.ts";
export {
  createRunStore,
  type FollowUp,
  type ProjectRun,
  type RunStore,
  toNewRun,
} from "./run.store.ts";
export { announcedOwner, type Lessee } from "./run-lease.store.ts";
export {
  createRunTailStore,
  isReached,
  type ReachedChat,
  type RunTailStore,
  readFlowState,
  readRunInput,
} from "./run-reads.ts";
export {
  askingPattern,
  type CostOf,
  costDollarsOf,
  emptySummary,
  firstTurn,
  labelsOf,
  parseSummary,
  questionPattern,
  questionText,
  type RunTurn,
  resumedTurn,
  signalsOf,
  summaryText,
  toAction,
  toCostNanos,
  toDollars,
  toSummary,
  turnOf,
} from "./run-rows.ts";
export { createSessionTurns, hasTurn, type SessionTurn, type SessionTurns, sessionKey } from "./session-turns.ts";
