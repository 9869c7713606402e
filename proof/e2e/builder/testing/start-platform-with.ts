import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createIdSource } from "../../../../packages/database/src/id-source.ts";
import type { NodeType } from "../../../../packages/engine/src/node-type.ts";
import { listen } from "../../../../packages/http/src/listen.ts";
import { createLogger } from "../../../../packages/http/src/logger.ts";
import { nodeRegistry } from "../../../../packages/nodes/src/index.ts";
import { systemClock } from "../../../../packages/run-host/src/system-clock.ts";
import { readConfig } from "../../../../packages/server/src/config.ts";
import { openPlatform } from "../../../../packages/server/src/platform.ts";
import { admin } from "./open-builder.ts";

/** The real server in this process, with one node type more than it has. */
export async function startPlatformWith(nodeType: NodeType) {
  const dataDir = await mkdtemp(join(tmpdir(), "weft-forms-"));
  const clock = systemClock;
  const platform = await openPlatform({
    config: readConfig({
      DATA_DIR: dataDir,
      EVENT_API: "false",
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
    }),
    clock,
    ids: createIdSource(clock.now),
    logger: createLogger({ level: "silent", write: () => undefined, now: clock.now }),
    nodeTypes: { ...nodeRegistry, [nodeType.type]: nodeType },
  });
  const server = await listen(platform, { host: "127.0.0.1", port: 0 });
  const send = async (method: string, path: string, body: unknown, token?: string) => {
    const response = await fetch(`${server.url}/api/v1${path}`, {
      method,
      headers: { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const { token } = (await send("POST", "/auth/login", admin)) as { token: string };
  return {
    url: server.url,
    token,
    call: <T>(method: string, path: string, body?: unknown) => send(method, path, body, token) as Promise<T>,
    async close() {
      await platform.close();
      await server.close({ graceMs: 100 });
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
