import { mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findLeftovers, readStateBefore } from "./find-leftovers.ts";
import { readCpuSeconds, readResidentMb } from "./read-processes.ts";
import { startTestProcess, type TestProcess } from "./start-test-process.ts";
import type { ProcessMessage, TestResult } from "./test-messages.ts";
import { openTestPostgres, type TestPostgres } from "./test-postgres.ts";

export type FilesRequest = {
  root: string;
  /** Paths from the root, in the order in which they begin. */
  files: readonly string[];
  /** Test processes at once. */
  processes: number;
  /** Arguments of Node for test processes. */
  options: readonly string[];
  /** A file hangs when nothing has begun or ended in it for so long. */
  mostIdleMs: number;
  /** A process is given so long to end by itself. */
  mostClosingMs: number;
  /** Every file in a process of its own, whatever it says. */
  isAlone: boolean;
  onFile(outcome: FileOutcome): void;
  signal: AbortSignal;
};

export type FileOutcome = {
  file: string;
  results: TestResult[];
  /** What is wrong with the file beside its tests: it hung, its process died, it left something behind. */
  problems: string[];
  /** What it wrote to standard output and standard error. */
  output: string;
  ms: number;
  /** Processor time of its process and of what that started. */
  cpuSeconds: number;
};

/** Files that share a process; files without a name share one with all others that have none. */
type Batch = { name: string | undefined; files: string[] };

const neededMemoryBytes = 4 * 1_024 ** 3;

/** A test process is replaced when it holds more: modules and results of the files that it ran add up. */
const mostResidentMb = 1_500;

/**
 * Runs test files, many to a process. The comment `// @process NAME: why` at the head of a file asks for another process
 * than the shared ones: `own` for itself, any other name for one that all files with this name share.
 */
export async function runFiles(request: FilesRequest): Promise<FileOutcome[]> {
  const temporary = mkdtempSync(join(findMemory() ?? tmpdir(), "weft-tests-"));
  const postgres = await openTestPostgres();
  const outcomes: FileOutcome[] = [];
  const batches = toBatches(request);
  const runner: Runner = { ...request, temporary, postgres, outcomes };
  try {
    await Promise.all(Array.from({ length: request.processes }, () => work(runner, batches)));
  } finally {
    await postgres?.close();
    rmSync(temporary, { recursive: true, force: true });
  }
  return outcomes;
}

/** What tests prove of kills holds in memory as well, since the machine goes on. */
function findMemory(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync("/dev/shm");
    return bavail * bsize >= neededMemoryBytes ? "/dev/shm" : undefined;
  } catch {
    return undefined;
  }
}

type Runner = FilesRequest & { temporary: string; postgres: TestPostgres | undefined; outcomes: FileOutcome[] };

function toBatches({ root, files, isAlone }: FilesRequest): Batch[] {
  const batches: Batch[] = [];
  for (const file of files) {
    const name = isAlone ? "own" : readProcessName(join(root, file));
    const known = name === "own" || name === undefined ? undefined : batches.find((batch) => batch.name === name);
    if (known === undefined) batches.push({ name, files: [file] });
    else known.files.push(file);
  }
  return batches;
}

export function readProcessName(path: string): string | undefined {
  const head = readFileSync(path, "utf8").slice(0, 2_000);
  return /^\/\/ @process ([a-z-]+): \S/m.exec(head)?.[1];
}

/** Takes batches until none is left. The shared process stays while a batch has one of its own. */
async function work(runner: Runner, batches: Batch[]): Promise<void> {
  let shared: TestProcess | undefined;
  for (let batch = batches.shift(); batch !== undefined && !runner.signal.aborted; batch = batches.shift()) {
    let current = batch.name === undefined ? shared : undefined;
    for (const file of batch.files) {
      current ??= await startTestProcess(runner.root, runner.options);
      current = await runFile(runner, current, file, batch.name === "own");
    }
    if (batch.name === undefined) shared = current;
    else await endProcess(runner, current);
  }
  await endProcess(runner, shared);
}

async function endProcess({ postgres }: Runner, test: TestProcess | undefined): Promise<void> {
  await test?.kill();
  if (test !== undefined) await postgres?.dropPool(test.pid);
}

/** Runs one file; resolves with the process if the next one can have it. */
async function runFile(
  runner: Runner,
  test: TestProcess,
  file: string,
  isOwn: boolean,
): Promise<TestProcess | undefined> {
  const temporary = join(runner.temporary, String(test.pid));
  mkdirSync(temporary, { recursive: true });
  const before = readStateBefore(test.pid, temporary);
  const [startedAt, cpuBefore] = [performance.now(), readCpuSeconds(test.pid)];
  const results: TestResult[] = [];
  const problems: string[] = [];
  const watch = watchProgress(runner, test, problems);
  const end = await test.run({ path: join(runner.root, file), temporary }, (message) => {
    watch.heard(message);
    if (message.kind === "test-ended") results.push(message);
    if (message.kind === "warning") problems.push(message.text);
  });
  watch.stop();
  const cpuSeconds = Math.max(0, readCpuSeconds(test.pid) - cpuBefore);
  if (end === "died" && problems.length === 0) problems.push("Its process ended before its tests did.");
  problems.push(...(await findLeftovers(before, runner.postgres)).map((left) => `It leaves ${left}.`));
  const isKept = !isOwn && end === "ended" && readResidentMb(test.pid) < mostResidentMb;
  if (isOwn && !(await test.close(runner.mostClosingMs))) {
    problems.push("Its process does not end: it leaves a timer, a connection or a worker.");
  }
  if (!isKept) await endProcess(runner, test);
  const outcome = { file, results, problems, output: test.takeOutput(), cpuSeconds, ms: performance.now() - startedAt };
  runner.outcomes.push(outcome);
  runner.onFile(outcome);
  return isKept ? test : undefined;
}

/** Ends a process in which nothing happens any more, or whose run was given up, and says what it was doing. */
function watchProgress(runner: Runner, test: TestProcess, problems: string[]) {
  let doing = "loading";
  const giveUp = async () => {
    const open = await test.askWhatIsOpen();
    const handles = open.length === 0 ? "its event loop is blocked" : `open: ${open.join(", ")}`;
    problems.push(`Nothing happened for ${runner.mostIdleMs / 1_000} seconds while ${doing}; ${handles}.`);
    await test.kill();
  };
  let idle = setTimeout(giveUp, runner.mostIdleMs);
  const stopAtOnce = () => void test.kill();
  runner.signal.addEventListener("abort", stopAtOnce);
  return {
    heard(message: ProcessMessage) {
      if (message.kind === "test-begun") doing = `running "${message.name}"`;
      clearTimeout(idle);
      idle = setTimeout(giveUp, runner.mostIdleMs);
    },
    stop() {
      clearTimeout(idle);
      runner.signal.removeEventListener("abort", stopAtOnce);
    },
  };
}
