/** What one call may use. */
export type SandboxLimits = {
  /** Computing, waits for `fetch` left out. Default 30,000. */
  computeMs: number;
  /** Calls of `fetch`. Default 10. */
  fetchCalls: number;
  /** Bytes of all answers of `fetch` together; also the longest request. Default 5 MiB. */
  fetchBytes: number;
  /** JSON of the returned value. Default 1 MiB. */
  resultBytes: number;
  /** Levels of nesting in the returned value. Default 100. */
  resultDepth: number;
  /** What `console.log` keeps; the rest is dropped. Default 64 KiB. */
  logBytes: number;
};

export const standardLimits: SandboxLimits = {
  computeMs: 30_000,
  fetchCalls: 10,
  fetchBytes: 5 * 1024 * 1024,
  resultBytes: 1024 * 1024,
  resultDepth: 100,
  logBytes: 64 * 1024,
};
