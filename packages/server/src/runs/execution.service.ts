import { applyEvent, type CompiledFlow, emptyRunState } from "@weft/engine";
import { type Execution, type RunEvent, type RunInput, WeftError } from "@weft/schema";
import type { RunRow } from "../storage/tables.ts";
import { toExecutedData } from "./executed-data.ts";
import type { RunStore } from "./run.store.ts";

export type ExecutionServiceDeps = {
  store: Pick<RunStore, "load">;
  flowOfRun(agentVersionId: string, input: RunInput): Promise<CompiledFlow | undefined>;
};

export type ExecutionService = {
  /** One run with its steps. Rejects with `not-found`. */
  get(id: string): Promise<Execution>;
};

export function createExecutionService({ store, flowOfRun }: ExecutionServiceDeps): ExecutionService {
  return {
    async get(id) {
      const loaded = await store.load(id);
      const first = loaded?.events[0];
      if (!loaded || first?.type !== "run-started") {
        throw new WeftError("not-found", { params: { resource: "execution", id } });
      }
      return toExecution(loaded.run, loaded.events, await flowOfRun(loaded.run.agentVersionId, first.input));
    },
  };
}

const states = {
  running: "INPROGRESS",
  suspended: "STOPPED",
  completed: "FINISHED",
  failed: "ERROR",
  cancelled: "TERMINATED",
} as const;

function toExecution(run: RunRow, events: readonly RunEvent[], flow: CompiledFlow | undefined): Execution {
  const end = events.at(-1);
  const state = emptyRunState();
  for (const event of flow ? events : []) if (flow) applyEvent(state, flow.graph, event);
  return {
    id: run.id,
    agentflowId: run.agentId,
    agentVersionId: run.agentVersionId,
    chatId: run.chatId,
    sessionId: run.sessionId,
    state: states[run.status as keyof typeof states],
    executionData: JSON.stringify(flow ? toExecutedData(flow, events) : []),
    text: end?.type === "run-completed" ? end.text : null,
    error: end?.type === "run-failed" ? end.error : null,
    usage: state.usage,
    warnings: [...state.warnings],
    createdDate: run.createdDate,
    updatedDate: run.updatedDate,
    stoppedDate: run.stoppedDate,
  };
}
