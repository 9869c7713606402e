/** To a test process. */
export type FileToRun = {
  /** Absolute. */
  path: string;
  /** The folder for temporary files while this file runs. */
  temporary: string;
};

export type TestResult = {
  /** The names from the outermost suite inwards, the file left out. */
  names: string[];
  outcome: "passed" | "failed" | "skipped";
  isSuite: boolean;
  /** With causes and stacks, ready to print. */
  error?: string;
};

/** From a test process. */
export type ProcessMessage =
  | { kind: "ready" }
  | { kind: "test-begun"; name: string }
  | ({ kind: "test-ended" } & TestResult)
  | { kind: "file-ended"; path: string }
  | { kind: "warning"; text: string }
  /** What keeps the process alive, as `process.getActiveResourcesInfo()` names it. */
  | { kind: "open"; resources: string[] };
