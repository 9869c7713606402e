/** The command was called in a way that it does not understand. The message says what it wants. */
export class UsageError extends Error {
  constructor(message: string) {
    super(`${message} See npm run -s flow -- --help.`);
    this.name = "UsageError";
  }
}
