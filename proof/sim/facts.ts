import type { CompiledFlow } from "@weft/engine";

/** A message that a client sent, and what it heard of the run that the message was to begin. */
export type AskedRun = {
  runId: string;
  agentId: string;
  sessionId: string;
  owner: string;
  /** Names the run to the world outside. */
  question: string;
  askedMs: number;
  /** When a process said that it is accepted. */
  acceptedMs?: number;
  cancelAskedMs?: number;
  /** When a process said that it is cancelled. */
  cancelledMs?: number;
};

/** An answer to a question of a run. `isTaken`: undefined where the client did not hear. */
export type GivenAnswer = { runId: string; waitId: string; words: string; isTaken: boolean | undefined };

/** What was done and heard outside of the processes: all that the oracle knows beside the journal. */
export type Facts = {
  runs: Map<string, AskedRun>;
  answers: GivenAnswer[];
  /** Version ids of agents, the newest last; none of a deleted one. */
  agents: Map<string, string[]>;
  versions: Map<string, CompiledFlow>;
  /** How many versions there were. */
  editions: number;
  /** When an agent was deleted. */
  deleted: Map<string, number>;
  /** Lives of processes by the names under which they hold leases. */
  owners: Map<string, string>;
  /** When a life ended. */
  deaths: Map<string, number>;
  /** Moments until which a life could not do its work, by its name. */
  hinderedUntilMs: Map<string, number>;
};

export function noFacts(): Facts {
  return {
    runs: new Map(),
    answers: [],
    agents: new Map(),
    versions: new Map(),
    editions: 0,
    deleted: new Map(),
    owners: new Map(),
    deaths: new Map(),
    hinderedUntilMs: new Map(),
  };
}

/** A life could not do its work until then. */
export function hinder({ hinderedUntilMs }: Facts, life: string, untilMs: number): void {
  hinderedUntilMs.set(life, Math.max(untilMs, hinderedUntilMs.get(life) ?? 0));
}
