/** A tool as its author stored it. */
export type StoredTool = {
  name: string;
  description: string;
  /** JSON text: a JSON Schema of an object, or a list of `{ property, type, description, required }`. */
  schema: string | null;
  /** Body of an async JavaScript function; anything else is a description of one. */
  func: string | null;
};

/** Where stored tools are found. */
export type StoredTools = {
  /** Resolves with undefined for an unknown id. */
  find(id: string): Promise<StoredTool | undefined>;
  /** At most `count`, most recently updated first. */
  newestIds(count: number): Promise<string[]>;
};
