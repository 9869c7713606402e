/** Other names under which a splitter or loader is known, and other names of its settings: theirs → ours. */
export type ComponentAliases = { names: readonly string[]; keys: Readonly<Record<string, string>> };
