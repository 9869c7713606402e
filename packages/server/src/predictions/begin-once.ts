import type { ExecutionService } from "@weft/run-host";
import type { Ask } from "./ask.ts";
import type { PredictionService } from "./prediction.service.ts";

export type BeginOnceDeps = {
  predictions: Pick<PredictionService, "begin">;
  executions: Pick<ExecutionService, "find">;
};

/** Begins a run and resolves when it is durable, whoever else begins it under the same id at the same moment. */
export async function beginOnce({ predictions, executions }: BeginOnceDeps, ask: Ask & { newId: string }) {
  try {
    await predictions.begin(ask);
  } catch (cause) {
    if ((await executions.find(ask.newId)) === undefined) throw cause;
  }
}
