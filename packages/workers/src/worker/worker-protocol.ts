import type { ErrorCode } from "@weft/schema";

/** What the host says to its worker. */
export type ToWorker<Request> = { id: number; request: Request } | { cancel: number };

/** What the worker answers. A failure of the catalogue travels as its code and words. */
export type FromWorker<Answer> = { id: number } & (
  | { answer: Answer }
  | { failure: { code: ErrorCode | undefined; message: string } }
);
