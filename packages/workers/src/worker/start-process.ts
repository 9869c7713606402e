import { fork, type SendHandle } from "node:child_process";

/** A connection that can be passed to a process. */
export type Connection = SendHandle;

/** Common interface of a thread and a process. */
export type Started = {
  /** This process gives up the connection. */
  postMessage(message: unknown, transfer: ArrayBuffer[], connection?: Connection): void;
  on(event: "message" | "error" | "exit", listener: (value: unknown) => void): unknown;
  ref(): void;
  unref(): void;
  /** Processor time since its start, in microseconds. Only of a thread. */
  cpuUsage?(): Promise<NodeJS.CpuUsage>;
  terminate(): Promise<unknown>;
};

export type ProcessOptions = {
  /** Node's own flags, such as memory limits and permissions. Default: none. */
  execArgv?: readonly string[];
  /** Drop its error stream, because it may contain what others sent. Default false. */
  isSilent?: boolean;
};

/**
 * Starts another instance of this Node. The worker ends with this process, however that ends: `serveWorker` ensures it.
 */
export function startProcess(url: URL, { execArgv = [], isSilent = false }: ProcessOptions = {}): Started {
  const child = fork(url, {
    serialization: "advanced",
    env: {},
    execArgv: [...execArgv],
    stdio: ["ignore", "ignore", isSilent ? "ignore" : "inherit", "ipc"],
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return {
    // The exit of a process that is gone is reported by its own event.
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
      // Nothing else keeps this process alive while it waits for the end.
      child.ref();
      child.kill("SIGKILL");
      return ended;
    },
  };
}
