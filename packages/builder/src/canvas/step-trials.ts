import { createContext } from "react";

/** Trials of single steps: they save the draft first, and calls with side effects wait for approval. */
export type StepTrials = {
  /**
   * Runs the step alone, with the preceding results of the agent's last run that reached it. Its values become those of
   * the last run. Rejects if no run can be used.
   */
  run(nodeId: string): Promise<void>;
  /** Answers a trial's step that waits for approval, and follows it further. */
  answer(nodeId: string, type: "proceed" | "reject"): Promise<void>;
  /** Saves the draft; resolves with whether that succeeded. */
  save(): Promise<boolean>;
};

/** Absent if nothing can be run. */
export const StepTrialsContext = createContext<StepTrials | undefined>(undefined);
