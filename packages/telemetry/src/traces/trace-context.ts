import { hash } from "node:crypto";
import type { RunTrace } from "@weft/schema";

const zeros = /^0+$/;

/**
 * Reads a `traceparent` (W3C Trace Context, level 1). Undefined if missing or malformed; additions of later versions
 * after the flags are ignored.
 */
export function readTraceparent(value: string | null): RunTrace | undefined {
  const match = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(value ?? "");
  const [, version, id = "", parent = "", flags = "", rest] = match ?? [];
  if (match === null || version === "ff" || (version === "00" && rest !== undefined)) return undefined;
  if (zeros.test(id) || zeros.test(parent)) return undefined;
  return { id, parent, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** The trace of a run: the one that it continues, otherwise its own, derived from its id. */
export function traceIdOf(runId: string, trace: RunTrace | undefined): string {
  if (trace !== undefined) return trace.id;
  const plain = runId.replaceAll("-", "").toLowerCase();
  return /^[0-9a-f]{32}$/.test(plain) && !zeros.test(plain) ? plain : hash("sha256", runId).slice(0, 32);
}

/** The span id of a part of a run: the same in every process. `key`: empty for the run itself. */
export function spanIdOf(runId: string, key: string): string {
  return hash("sha256", `${runId}/${key}`).slice(0, 16);
}

/**
 * The trace of a run that another run calls: a child of the effect that calls it. `idempotencyKey`: of that effect,
 * `<run id>/<effect id>`. Sampling stays undecided if it is for the parent: the same trace id gives the same decision.
 */
export function traceOfChild(parent: RunTrace | undefined, parentRunId: string, idempotencyKey: string): RunTrace {
  const key = idempotencyKey.slice(parentRunId.length + 1);
  return {
    id: traceIdOf(parentRunId, parent),
    parent: spanIdOf(parentRunId, key),
    ...(parent?.sampled !== undefined && { sampled: parent.sampled }),
  };
}

/** Names of `OTEL_TRACES_SAMPLER`. */
export const samplers = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

export type Sampling = { sampler: (typeof samplers)[number] /** From 0 to 1. */; ratio: number };

/** Whether a run is traced. Depends only on its trace, so that every process decides alike. */
export function isSampled({ sampler, ratio }: Sampling, runId: string, trace: RunTrace | undefined): boolean {
  const root = sampler.replace("parentbased_", "");
  if (root !== sampler && trace?.sampled !== undefined) return trace.sampled;
  if (root !== "traceidratio") return root === "always_on";
  // The last 14 digits are the random ones (W3C Trace Context, level 2).
  return Number.parseInt(traceIdOf(runId, trace).slice(-14), 16) < ratio * 2 ** 56;
}
