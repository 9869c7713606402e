/** Which run is replayed, and from where. */
export type ReplaySource = {
  executionId: string;
  /** One execution of a step, or a step as it stands in the draft. */
  from: { nodeKey: string } | { nodeId: string };
  label: string;
  /** Saves what is edited, so that it can be replayed. Absent: nothing is open. */
  beforeStart?(): Promise<boolean>;
};
