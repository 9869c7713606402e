import { randomUUID } from "node:crypto";
import type { Signals } from "@weft/database";
import { createVirtualClock } from "@weft/engine/testing";
import { createLogger } from "@weft/http/logger";
import type { ActiveRun, HostContext } from "../host-context.ts";
import type { RunBroadcast } from "../run-broadcast.ts";
import { leaseMs } from "./store-runs.ts";

type Given = Partial<Omit<HostContext, "store" | "broadcast" | "signals" | "active">> & {
  store?: Partial<HostContext["store"]>;
  broadcast?: Partial<RunBroadcast>;
  signals?: Partial<Signals>;
  active?: ReadonlyMap<string, Partial<ActiveRun>>;
};

/** A host with these parts. What is not given works on nothing, or is missing. */
export function hostContext(given: Given): HostContext {
  const context: Given = {
    clock: createVirtualClock(),
    newId: randomUUID,
    logger: createLogger({ level: "silent", write: () => undefined, now: () => 0 }),
    lessee: { owner: "this", leaseMs },
    active: new Map(),
    abandoned: new Set(),
    stopping: new AbortController().signal,
    ...given,
  };
  return context as HostContext;
}
