/** What the rehearsal model is, in the start log, the builder and before each of its answers. */
export const rehearsalLabel = "rehearsal model: rules, not an AI";
