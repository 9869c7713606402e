import { once } from "node:events";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { PlatformProcess } from "../../../packages/server/src/testing/platform-process.ts";

/** What the process holds at one moment, and what its callers saw since the moment before. */
export type Sample = Held & { p50Ms: number; p99Ms: number; longestMs: number; count: number };

/** `heapMb` is what survives a collection; `walMb` the file as it lies on the disk, 0 on PostgreSQL. */
export type Held = { heapMb: number; residentMb: number; descriptors: number; walMb: number };

export type Probe = { take(): Promise<Held>; close(): void };

/** Looks into the process through Node's inspector, which must listen on `inspectorPort`. */
export async function openProbe(platform: PlatformProcess, inspectorPort: number): Promise<Probe> {
  const targets = (await (await fetch(`http://127.0.0.1:${inspectorPort}/json/list`)).json()) as {
    webSocketDebuggerUrl: string;
  }[];
  const socket = new WebSocket(targets[0]?.webSocketDebuggerUrl ?? "");
  await once(socket, "open");
  let lastId = 0;

  async function ask<T>(method: string): Promise<T> {
    const id = ++lastId;
    socket.send(JSON.stringify({ id, method }));
    for (;;) {
      const [message] = (await once(socket, "message")) as [MessageEvent<string>];
      const answer = JSON.parse(message.data) as { id?: number; result: T };
      if (answer.id === id) return answer.result;
    }
  }

  return {
    async take() {
      await ask("HeapProfiler.collectGarbage");
      const { usedSize } = await ask<{ usedSize: number }>("Runtime.getHeapUsage");
      return {
        heapMb: usedSize / 2 ** 20,
        residentMb: platform.residentMb(),
        descriptors: readdirSync(`/proc/${platform.pid}/fd`).length,
        walMb: (statSync(join(platform.dataDir, "weft.db-wal"), { throwIfNoEntry: false })?.size ?? 0) / 2 ** 20,
      };
    },
    close: () => socket.close(),
  };
}
