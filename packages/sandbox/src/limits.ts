export type SandboxLimits = {
  /** Computing time, without waits for answers. Default 30,000. */
  computeMs: number;
  /** Calls of `fetch`. Default 10. */
  fetchCalls: number;
  /** Total bytes of all `fetch` answers; also the longest request. Default 5 MiB. */
  fetchBytes: number;
  /** Statements to databases. Default 100. */
  statements: number;
  /** JSON of a statement with its values. Default 256 KiB. */
  statementBytes: number;
  /** Rows that one statement may return. Default 10,000. */
  rows: number;
  /** Total bytes of the rows of all statements. Default 5 MiB. */
  rowBytes: number;
  /** JSON of the returned value. Default 1 MiB. */
  resultBytes: number;
  /** Levels of nesting in the returned value. Default 100. */
  resultDepth: number;
  /** Output that `console.log` keeps; the rest is dropped. Default 64 KiB. */
  logBytes: number;
};

/** Requests that the code may make of the host: `fetch` calls and database statements. */
export type AskKind = "fetch" | "query";

/** How often it may ask, and how long a request may be as JSON. */
export type AskLimits = Record<AskKind, { times: number; bytes: number }>;

export function toAskLimits({ fetchCalls, fetchBytes, statements, statementBytes }: SandboxLimits): AskLimits {
  return { fetch: { times: fetchCalls, bytes: fetchBytes }, query: { times: statements, bytes: statementBytes } };
}

export const standardLimits: SandboxLimits = {
  computeMs: 30_000,
  fetchCalls: 10,
  fetchBytes: 5 * 1024 * 1024,
  statements: 100,
  statementBytes: 256 * 1024,
  rows: 10_000,
  rowBytes: 5 * 1024 * 1024,
  resultBytes: 1024 * 1024,
  resultDepth: 100,
  logBytes: 64 * 1024,
};
