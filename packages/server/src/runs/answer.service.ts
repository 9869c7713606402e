import type { CompiledFlow } from "@weft/engine";
import { type RunEvent, type RunInput, WeftError } from "@weft/schema";
import type { RunRow } from "../storage/tables.ts";
import { type Answering, waitsOf } from "./resume-run.ts";
import type { RunStore } from "./run.store.ts";
import type { ResumedRun, RunContinuation } from "./run-continuation.ts";

/** Which question a human answers: of a run, or of the chat's run that asked last. */
export type AnswerRequest = Omit<Answering, "waitId"> & {
  agentId: string;
  chatId?: string | undefined;
  executionId?: string | undefined;
  /** Default: the question that was asked last. */
  waitId?: string | undefined;
  live: boolean;
};

export type AnswerService = {
  /**
   * Takes a human's answer, once, and goes on with the run. `begun` as in `RunContinuation.resume`. Rejects with
   * `validation-failed` when nothing waits, and with `conflict` when the question was answered already.
   */
  answer(request: AnswerRequest, begun?: (resumed: ResumedRun) => void): Promise<ResumedRun>;
};

export type AnswerServiceDeps = {
  store: Pick<RunStore, "hasAnswer" | "listWaiting" | "load">;
  runs: Pick<RunContinuation, "resume">;
  flowOfRun(agentVersionId: string, input: RunInput): Promise<CompiledFlow | undefined>;
};

export function createAnswerService({ store, runs, flowOfRun }: AnswerServiceDeps): AnswerService {
  /** The runs among which the question is looked for. */
  async function candidates({ agentId, chatId, executionId }: AnswerRequest): Promise<RunRow[]> {
    if (executionId === undefined && chatId === undefined) {
      throw new WeftError("validation-failed", {
        params: { reason: "humanInput needs the chatId or the executionId of the run that waits" },
      });
    }
    const filter = executionId === undefined ? { agentId, ...(chatId === undefined ? {} : { chatId }) } : undefined;
    const runs = await store.listWaiting(filter ?? { runId: executionId ?? "" });
    return runs.filter((run) => run.agentId === agentId && (chatId === undefined || run.chatId === chatId));
  }

  async function questionsOf(row: RunRow): Promise<string[]> {
    const loaded = await store.load(row.id);
    const first = loaded?.events[0];
    if (!loaded || first?.type !== "run-started") return [];
    const flow = await flowOfRun(row.agentVersionId, first.input);
    return flow ? waitsOf(flow, loaded.events).map(({ wait }) => wait.waitId) : [];
  }

  async function findQuestion(request: AnswerRequest): Promise<{ runId: string; waitId: string } | undefined> {
    for (const run of await candidates(request)) {
      const questions = await questionsOf(run);
      const waitId = request.waitId === undefined ? questions.at(-1) : questions.find((id) => id === request.waitId);
      if (waitId !== undefined) return { runId: run.id, waitId };
    }
    return undefined;
  }

  /** Whether the question was there: then somebody was faster. */
  async function wasAnswered({ agentId, chatId, executionId, waitId }: AnswerRequest): Promise<boolean> {
    if (executionId === undefined) return chatId !== undefined && store.hasAnswer({ agentId, chatId });
    const loaded = await store.load(executionId);
    const isIt = (event: RunEvent) =>
      event.type === "node-resumed" && (waitId === undefined || event.waitId === waitId);
    return loaded?.run.agentId === agentId && loaded.events.some(isIt);
  }

  return {
    async answer(request, begun) {
      const { answer, content, live } = request;
      const question = await findQuestion(request);
      if (question) return runs.resume({ ...question, answer, content, live }, begun);
      if (await wasAnswered(request)) {
        throw new WeftError("conflict", { params: { reason: "This question was answered already." } });
      }
      throw new WeftError("validation-failed", { params: { reason: "nothing in this chat waits for an answer" } });
    },
  };
}
