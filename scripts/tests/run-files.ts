import { join, relative } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";

export type FilesRequest = {
  root: string;
  /** Paths from the root. */
  files: readonly string[];
  /** Files that run at once, each in a process of its own. */
  atOnce: number;
  /** Arguments with a dash. Those that choose tests by name are Node's test runner's, the rest its processes'. */
  options: readonly string[];
  /** A test that takes longer fails. */
  testTimeoutMs: number;
  /** The run stops when no test has ended for so long: a file left a server or a timer open. */
  mostIdleMs: number;
};

export type FilesOutcome = {
  /** Whether every test passed and every file ended. */
  isGood: boolean;
  failed: string[];
  /** Files that had not ended when the run was given up. */
  unfinished: string[];
  /** Milliseconds that each file took, its start included. */
  durations: Map<string, number>;
};

/** Runs test files and prints what they report. A signal ends the run with the processes that it started. */
export async function runFiles(request: FilesRequest): Promise<FilesOutcome> {
  const { root, files, atOnce, options, testTimeoutMs, mostIdleMs } = request;
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, stop);
  const events = run({
    cwd: root,
    files: files.map((file) => join(root, file)),
    concurrency: atOnce,
    timeout: testTimeoutMs,
    signal: stopping.signal,
    ...toRunOptions(options),
  });
  const pathOf = (file: string) => relative(root, file).replaceAll("\\", "/");
  const open = new Set<string>();
  const failed = new Set<string>();
  const durations = new Map<string, number>();
  let unfinished: string[] = [];
  let isSuccess = false;
  const giveUp = () => {
    unfinished = [...open];
    console.error(`\nNo test has ended for ${mostIdleMs / 1_000} seconds. Unfinished: ${unfinished.join(", ")}`);
    stop();
  };
  let idle = setTimeout(giveUp, mostIdleMs);
  events.on("test:dequeue", ({ name, file }) => name === file && open.add(pathOf(name)));
  events.on("test:complete", ({ name, file, details }) => {
    if (unfinished.length > 0) return;
    clearTimeout(idle);
    idle = setTimeout(giveUp, mostIdleMs);
    if (name !== file) return;
    open.delete(pathOf(name));
    durations.set(pathOf(name), Math.round(details.duration_ms));
  });
  events.on("test:fail", ({ file, todo }) => file !== undefined && todo === undefined && failed.add(pathOf(file)));
  events.on("test:summary", ({ file, success }) => {
    if (file === undefined) isSuccess = success;
  });
  for await (const text of events.compose(new spec())) process.stdout.write(text);
  clearTimeout(idle);
  for (const signal of ["SIGINT", "SIGTERM"]) process.off(signal, stop);
  const isGood = isSuccess && failed.size === 0 && !stopping.signal.aborted;
  return { isGood, failed: [...failed], unfinished, durations };
}

function toRunOptions(options: readonly string[]) {
  const patterns = (name: string) =>
    options.flatMap((option) => (option.startsWith(`${name}=`) ? [new RegExp(option.slice(name.length + 1))] : []));
  const testNamePatterns = patterns("--test-name-pattern");
  const testSkipPatterns = patterns("--test-skip-pattern");
  return {
    ...(testNamePatterns.length > 0 && { testNamePatterns }),
    ...(testSkipPatterns.length > 0 && { testSkipPatterns }),
    execArgv: options.filter((option) => !/^--test-(name|skip)-pattern=/.test(option)),
  };
}
