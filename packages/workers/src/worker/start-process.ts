import { fork } from "node:child_process";

/** What a thread and a process have in common. */
export type Started = {
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  on(event: "message" | "error" | "exit", listener: (value: unknown) => void): unknown;
  ref(): void;
  unref(): void;
  terminate(): Promise<unknown>;
};

/** Starts this Node once more. The worker ends with this process, whichever way that ends: `serveWorker` sees to it. */
export function startProcess(url: URL): Started {
  const child = fork(url, {
    serialization: "advanced",
    env: {},
    execArgv: [],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return {
    // The exit of a process that is gone is told by its own event.
    postMessage: (message) => void (child.connected && child.send(message as object, () => {})),
    on: (event, listener) => child.on(event, listener),
    ref() {
      child.ref();
      child.channel?.ref();
    },
    unref() {
      child.unref();
      child.channel?.unref();
    },
    terminate() {
      // Who waits for the end has nothing else that keeps this process alive.
      child.ref();
      child.kill("SIGKILL");
      return ended;
    },
  };
}
