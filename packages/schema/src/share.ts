/** On whose behalf work is done, for sharing resources fairly: an agent (or store) together with its caller. */
export type Share = {
  name: string;
  /** The agent or store alone, for all callers: its shares together are bounded, so that others find a place. */
  group?: string;
  /** Asked by a visitor without credentials: all of them together have a bound of their own. */
  isAnonymous: boolean;
};

/** Work on nobody's behalf shares one share. */
export const noShare: Share = { name: "", isAnonymous: false };
