/** A named file cannot be used. The message names it and the remedy. */
export class FileError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "FileError";
  }
}
