import { freePort } from "../../../packages/server/src/testing/free-port.ts";
import { type PlatformProcess, startPlatformProcess } from "../../../packages/server/src/testing/platform-process.ts";
import type { BusyCores } from "../figures/figure.ts";
import { type LoadRequest, type LoadResult, type LoadSize, load } from "../load/load.ts";
import type { ServerProcess } from "../load/server-process.ts";
import { type CpuTime, readCpuTime, readMachineMs } from "../load/threads.ts";
import type { Target } from "./requests.ts";

/** Weft as a process of its own, whose models are `model` and, for agents with tools, `toolModel`. */
export type Weft = {
  platform: PlatformProcess;
  target: Target;
  /** Where its event API answers, for tools. */
  eventsUrl: string;
};

export type Models = { model: ServerProcess; toolModel: ServerProcess };

export type WeftOptions = {
  models: Models;
  /** Default: SQLite in the data folder. */
  databaseUrl?: string;
  dataDir?: string;
  /** Where the sources of another release are. Default: these. */
  sources?: string;
  env?: Record<string, string>;
};

export async function startWeft({ models, databaseUrl = "", dataDir, sources, env }: WeftOptions): Promise<Weft> {
  const eventsPort = await freePort();
  const platform = await startPlatformProcess({
    sources,
    ...(dataDir !== undefined && { dataDir }),
    env: {
      DATABASE_URL: databaseUrl,
      OPENAI_BASE_URL: models.model.url,
      OPENAI_API_KEY: "bench",
      DEFAULT_MODEL: "scripted",
      EVENT_API: "true",
      MAX_EVENT_LOOP_DELAY_MS: "",
      EVENT_API_PORT: String(eventsPort),
      EGRESS_ALLOW: `127.0.0.1:${models.toolModel.port}`,
      ...env,
    },
  });
  const eventsUrl = `http://127.0.0.1:${eventsPort}/events`;
  return { platform, target: { port: platform.port, key: platform.token }, eventsUrl };
}

export type Loaded = LoadResult & { busy: BusyCores; cpu: CpuTime };

/**
 * A load on a process, with what the process, the model server behind it, the load itself and the rest of the machine
 * took of the processors.
 */
export async function loadProcess(
  { name, pid, model }: { name: string; pid: number; model?: ServerProcess },
  request: LoadRequest,
  size: LoadSize,
): Promise<Loaded> {
  const read = () => ({
    atMs: performance.now(),
    machineMs: readMachineMs(),
    own: readCpuTime(pid),
    modelMs: model === undefined ? 0 : readCpuTime(model.pid).allMs,
  });
  const before = read();
  const result = await load(request, size);
  const after = read();
  const elapsedMs = after.atMs - before.atMs;
  const cpu = { mainMs: after.own.mainMs - before.own.mainMs, allMs: after.own.allMs - before.own.allMs };
  const own = cpu.allMs / elapsedMs;
  const ofModel = (after.modelMs - before.modelMs) / elapsedMs;
  const rest = Math.max(0, (after.machineMs - before.machineMs) / elapsedMs - own - ofModel - result.cores);
  return { ...result, cpu, busy: { [name]: own, ...(model && { model: ofModel }), load: result.cores, rest } };
}
