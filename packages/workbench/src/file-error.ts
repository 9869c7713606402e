/** A file that was named cannot be used. The message names it and says what to do. */
export class FileError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "FileError";
  }
}
