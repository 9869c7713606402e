import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { findDescendants } from "./read-processes.ts";
import type { FileToRun, ProcessMessage } from "./test-messages.ts";

/** A process that runs test files, as its owner sees it. */
export type TestProcess = {
  readonly pid: number;
  /** Resolves when no test of the file is left, or the process is gone. */
  run(file: FileToRun, listener: (message: ProcessMessage) => void): Promise<"ended" | "died">;
  /** What it wrote to both streams since the last call. */
  takeOutput(): string;
  /** What keeps it alive, as Node names it; empty where it does not answer. */
  askWhatIsOpen(): Promise<string[]>;
  /** Lets it end by itself; false where it had to be killed after so long. Nothing that it started remains. */
  close(mostMs: number): Promise<boolean>;
  /** Ends it and everything that it started. */
  kill(): Promise<void>;
};

const program = fileURLToPath(new URL("test-process.ts", import.meta.url));
const reporter = new URL("report-events.ts", import.meta.url).href;
const answerMs = 2_000;

/** Starts it in a session of its own, by which what it starts is found. `options` go to Node. */
export async function startTestProcess(root: string, options: readonly string[]): Promise<TestProcess> {
  const args = [...options, `--test-reporter=${reporter}`, "--test-reporter-destination=stdout", program];
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    detached: true,
    env,
  });
  const pid = child.pid ?? 0;
  const gone = once(child, "close");
  const takeOutput = collectOutput(child);
  await Promise.race([once(child, "message"), gone]);
  const kill = async () => {
    for (const each of [pid, ...findDescendants(pid)]) killQuietly(each);
    await gone;
  };
  return {
    pid,
    takeOutput,
    kill,
    run: (file, listener) => runIn(child, gone, file, listener),
    askWhatIsOpen: () => askWhatIsOpen(child),
    async close(mostMs) {
      if (child.connected) child.send("end");
      const isGone = await Promise.race([gone.then(() => true), delay(mostMs, false, { ref: false })]);
      await kill();
      return isGone;
    },
  };
}

async function runIn(
  child: ChildProcess,
  gone: Promise<unknown>,
  file: FileToRun,
  listener: (message: ProcessMessage) => void,
): Promise<"ended" | "died"> {
  const finished = Promise.withResolvers<"ended">();
  const onMessage = (message: ProcessMessage) => {
    listener(message);
    if (message.kind === "file-ended") finished.resolve("ended");
  };
  child.on("message", onMessage);
  if (child.connected) child.send(file);
  const outcome = await Promise.race([finished.promise, gone.then(() => "died" as const)]);
  child.off("message", onMessage);
  return outcome;
}

function collectOutput(child: ChildProcess): () => string {
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk) => {
      text += chunk;
    });
  }
  return () => {
    const taken = text;
    text = "";
    return taken;
  };
}

async function askWhatIsOpen(child: ChildProcess): Promise<string[]> {
  if (!child.connected) return [];
  const { promise, resolve } = Promise.withResolvers<string[]>();
  child.on("message", (message: ProcessMessage) => {
    if (message.kind === "open") resolve(message.resources);
  });
  child.send("what-is-open");
  return await Promise.race([promise, delay(answerMs, [], { ref: false })]);
}

export function killQuietly(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
