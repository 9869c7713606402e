/** The database cannot be opened or used as it is configured. The message tells the operator what to do. */
export class StorageError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.name = "StorageError";
  }
}
