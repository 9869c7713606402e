import type { PredictionResult, RunEvent } from "@weft/schema";
import type { BeginRun, RunService } from "../runs/run.service.ts";
import type { RunBroadcast } from "../runs/run-broadcast.ts";
import type { AttachService } from "./attach.service.ts";
import { collect } from "./collect.ts";
import { createFrameWriter, type Frame } from "./stream-frames.ts";

/** A run whose begin is durable. `result` rejects with what it failed with. */
export type BegunRun = { runId: string; result: Promise<PredictionResult>; cancel(): void };

export type FrameListener = (frames: readonly Frame[]) => void;

export type BeginRunDeps = {
  runs: Pick<RunService, "begin">;
  broadcast: Pick<RunBroadcast, "follow">;
  attach: Pick<AttachService, "answerOf">;
};

/** Begins a run whose answer this process gives in a form of its own. `onFrames` hears its stream. */
export async function beginRun(
  { runs, broadcast, attach }: BeginRunDeps,
  run: Omit<BeginRun, "live">,
  onFrames?: FrameListener,
): Promise<BegunRun> {
  const { runId, flow } = run;
  const handle = runs.begin({ ...run, live: onFrames !== undefined });
  const writer = createFrameWriter({ runId, flow });
  const events: RunEvent[] = [];
  const stopFollowing = broadcast.follow(runId, {
    events(batch) {
      collect(events, batch);
      onFrames?.(writer.events(batch));
    },
    delta: (delta) => onFrames?.(writer.delta(delta)),
  });
  const result = attach.answerOf(handle, () => ({ flow, events })).finally(stopFollowing);
  // Whoever waits for it hears of a failure; until then it may fail unheard.
  result.catch(() => undefined);
  await handle.accepted;
  return { runId, result, cancel: handle.cancel };
}
