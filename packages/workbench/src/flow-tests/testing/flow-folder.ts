import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";

export type FlowFolder = {
  path(name: string): string;
  /** An object is written as JSON. */
  write(name: string, content: string | object): Promise<string>;
  read(name: string): Promise<string>;
};

/** A folder for flows and their tests, removed after the test. */
export async function createFlowFolder(t: TestContext): Promise<FlowFolder> {
  const folder = await mkdtemp(join(tmpdir(), "weft-flow-tests-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const path = (name: string) => join(folder, name);
  return {
    path,
    async write(name, content) {
      await writeFile(path(name), typeof content === "string" ? content : JSON.stringify(content));
      return path(name);
    },
    read: (name) => readFile(path(name), "utf8"),
  };
}

type Step = { type: string; label?: string; parent?: string; config?: object };

/** A native flow of a start node `start_0` and these steps in a row, by their ids. */
export function flowInRow(steps: Record<string, Step>, start: object = {}) {
  const ids = ["start_0", ...Object.keys(steps)];
  return {
    weft: 1,
    nodes: [
      { id: "start_0", type: "start", label: "Start", config: start },
      ...Object.entries(steps).map(([id, step]) => ({ id, label: id, ...step })),
    ],
    edges: ids.slice(1).map((target, index) => ({ id: `e${index}`, source: ids[index], target })),
  };
}

export type TestApi = { url: string; host: string; count(): number; close(): Promise<void> };

/** An HTTP API that counts its requests. */
export async function startTestApi(t: TestContext, answer: RequestListener): Promise<TestApi> {
  let count = 0;
  const server = createServer((request, response) => {
    // What is recorded is the same at any time.
    response.sendDate = false;
    count += 1;
    answer(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    if (server.listening) await once(server.close(), "close");
  };
  t.after(close);
  return { url: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}`, count: () => count, close };
}
