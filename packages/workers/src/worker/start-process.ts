import { fork, type SendHandle } from "node:child_process";

/** A connection, which can be handed to a process. */
export type Connection = SendHandle;

/** What a thread and a process have in common. */
export type Started = {
  /** This process has the connection no more. */
  postMessage(message: unknown, transfer: ArrayBuffer[], connection?: Connection): void;
  on(event: "message" | "error" | "exit", listener: (value: unknown) => void): unknown;
  ref(): void;
  unref(): void;
  terminate(): Promise<unknown>;
};

export type ProcessOptions = {
  /** Node's own flags, such as limits of memory and rights. Default: none. */
  execArgv?: readonly string[];
  /** Whether what it writes to its error stream is dropped, because it may hold what others sent. Default false. */
  isSilent?: boolean;
};

/** Starts this Node once more. The worker ends with this process, whichever way that ends: `serveWorker` sees to it. */
export function startProcess(url: URL, { execArgv = [], isSilent = false }: ProcessOptions = {}): Started {
  const child = fork(url, {
    serialization: "advanced",
    env: {},
    execArgv: [...execArgv],
    stdio: ["ignore", "ignore", isSilent ? "ignore" : "inherit", "ipc"],
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return {
    // The exit of a process that is gone is told by its own event.
    postMessage: (message, _transfer, connection) =>
      void (child.connected && child.send(message as object, connection, {}, () => {})),
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
