import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createIdSource } from "@weft/database";
import type { Route } from "@weft/http";
import { createLogger } from "@weft/http/logger";
import { systemClock } from "@weft/run-host";
import { readConfig } from "./config.ts";
import { openPlatform } from "./platform.ts";

/**
 * Every operation of the API, as a platform over an empty folder serves it. That platform is closed, so the routes are
 * for reading: their handlers reject.
 */
export async function describeRoutes(): Promise<readonly Route[]> {
  const dataDir = await mkdtemp(join(tmpdir(), "weft-routes-"));
  try {
    const clock = systemClock;
    const platform = await openPlatform({
      config: readConfig({ DATA_DIR: dataDir, EVENT_API: "false" }),
      clock,
      ids: createIdSource(clock.now),
      logger: createLogger({ level: "silent", write: () => undefined, now: clock.now }),
    });
    await platform.close();
    return platform.routes;
  } finally {
    await rm(dataDir, { recursive: true });
  }
}
