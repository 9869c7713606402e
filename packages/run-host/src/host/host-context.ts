import type { Signals } from "@weft/database";
import type { CompiledFlow, RunHandle } from "@weft/engine";
import type { Clock } from "@weft/engine/ports/clock";
import type { Logger } from "@weft/http/logger";
import { type RunInput, type Share, WeftError } from "@weft/schema";
import type { Lessee, RunStore, RunTailStore, RunTurn, SessionTurns } from "../journal/index.ts";
import type { RunBroadcast } from "./run-broadcast.ts";

/** What the parts of a run host share: this process among those on the database, and the runs that it works on. */
export type HostContext = {
  store: RunStore & RunTailStore;
  clock: Clock;
  newId(): string;
  logger: Logger;
  /** Signals from other processes on the database. */
  signals: Signals;
  /** This process, as owner of leases. */
  lessee: Lessee;
  turns: SessionTurns;
  broadcast: RunBroadcast;
  /** Runs of this process by id, shared with the projection that writes their chat messages. */
  active: Map<string, ActiveRun>;
  /** Runs that a bug or a failing database ended here, to be released once the database responds. */
  abandoned: Set<string>;
  /** Aborted when this process starts to release its runs: it takes no more work. */
  stopping: AbortSignal;
  /** The flow that a run started with, with its own overrides; undefined when the version is gone. */
  flowOfRun(agentVersionId: string, input: RunInput): Promise<CompiledFlow | undefined>;
  /** Told what is done for runs. */
  watcher?: HostObserver | undefined;
};

export type DrivenRun = { handle: RunHandle; flow: CompiledFlow };

export type ActiveRun = DrivenRun & {
  turn: RunTurn;
  share: Share;
  /** Another process left it to this one; its callers may listen there. */
  isDelegated: boolean;
};

/** Told what this process does for its runs besides their steps. Must return at once and must not throw. */
export type HostObserver = {
  /** Leases that were renewed, and those that turned out to be lost. */
  leasesRenewed(kept: number, lost: number): void;
  /** A run whose process is gone continues here. */
  takenOver(): void;
};

/** Throws `shutting-down` if this process takes no more work. */
export function assertAccepting({ stopping }: HostContext): void {
  if (stopping.aborted) throw new WeftError("shutting-down");
}
