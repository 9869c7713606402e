/** Something outside of the bench keeps it from measuring. The message is for the person who started it. */
export class BenchError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "BenchError";
  }
}
