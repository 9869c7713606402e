/** In whose name work is done, where many share what there is: an agent (or store) together with who asks it. */
export type Share = {
  name: string;
  /** The agent or store alone, whoever asks it: its shares together have a bound, so that others find a place. */
  group?: string;
  /** Asked by a visitor without credentials: all of them together have a bound of their own. */
  isAnonymous: boolean;
};

/** Work that is done in nobody's name has one share, together. */
export const noShare: Share = { name: "", isAnonymous: false };
