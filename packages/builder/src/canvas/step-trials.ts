import { createContext } from "react";

/** What the editor does with one step: the draft is saved first, and calls that change something wait for approval. */
export type StepTrials = {
  /**
   * Runs the step alone, with what came before it in the agent's last run that reached it. Its values become those of the
   * last run. Rejects when no run can be used.
   */
  run(nodeId: string): Promise<void>;
  /** Answers the step of a trial that waits for approval, and follows it on. */
  answer(nodeId: string, type: "proceed" | "reject"): Promise<void>;
  /** Saves the draft; resolves with whether it is saved. */
  save(): Promise<boolean>;
};

/** Absent where nothing can be run. */
export const StepTrialsContext = createContext<StepTrials | undefined>(undefined);
