// A process that runs the test files it is sent, one after the other, each as a suite: hooks at the top of a file concern
// that file alone. `test-processes.ts` starts it; `report-events.ts` sends what tests report.
import { after, beforeEach, suite, test } from "node:test";
import { pathToFileURL } from "node:url";
import type { FileToRun, ProcessMessage } from "./test-messages.ts";

const send = (message: ProcessMessage) => process.send?.(message);

/** Folders that a file makes stand in one of its own, so that what it leaves behind is seen. */
async function runFile({ path, temporary }: FileToRun): Promise<void> {
  process.env.TMPDIR = temporary;
  const ended = Promise.withResolvers<void>();
  suite(path, async () => {
    // Said at once, so that it is known of a test that blocks this process.
    beforeEach((t) => void send({ kind: "test-begun", name: t.fullName.slice(`${path} > `.length) }));
    try {
      await import(pathToFileURL(path).href);
    } catch (error) {
      test("loads", () => Promise.reject(error));
    }
    after(() => ended.resolve());
  });
  await ended.promise;
  // The suite's own end is reported after its last hook.
  await new Promise((resolve) => setImmediate(resolve));
  send({ kind: "file-ended", path });
}

async function runFiles(): Promise<void> {
  const files: FileToRun[] = [];
  let wake = () => {};
  let isOpen = true;
  process.on("message", (message: FileToRun | "end" | "what-is-open") => {
    if (message === "what-is-open") return void send({ kind: "open", resources: process.getActiveResourcesInfo() });
    if (message === "end") isOpen = false;
    else files.push(message);
    wake();
  });
  send({ kind: "ready" });
  while (isOpen || files.length > 0) {
    const file = files.shift();
    if (file !== undefined) await runFile(file);
    else await new Promise<void>((resolve) => (wake = resolve));
  }
  process.disconnect?.();
}

await runFiles();
