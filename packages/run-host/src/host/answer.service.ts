import { type Reach, reaches } from "@weft/http/identity";
import { type RunEvent, type Wait, WeftError } from "@weft/schema";
import type { RunRow } from "../run-tables.ts";
import type { HostContext } from "./host-context.ts";
import { type Answering, questionsOf as openQuestions } from "./resume-run.ts";
import type { ResumedRun, RunContinuation } from "./run-continuation.ts";

/** The question that a human answers: of a run, or of the chat's run that asked last. */
export type AnswerRequest = Omit<Answering, "waitId" | "answeredBy"> & {
  agentId: string;
  /** The person or program that answers, and the runs within their reach. */
  by: Answerer;
  chatId?: string | undefined;
  executionId?: string | undefined;
  /** Default: the most recent question. */
  waitId?: string | undefined;
  /** The answerer is anonymous. Default false. */
  isVisitor?: boolean;
  live: boolean;
};

/** `name`: the answerer's display name; absent for visitors. */
export type Answerer = { owner: string; name?: string | undefined; reach: Reach };

export type AnswerService = {
  /**
   * Takes a human's answer, once, and continues the run. `begun` as in `RunContinuation.resume`. Rejects with
   * `validation-failed` if nothing waits, with `conflict` if the question was already answered, and with
   * `approval-needs-account` if a visitor answers a question that needs an account.
   */
  answer(request: AnswerRequest, begun?: (resumed: ResumedRun) => void): Promise<ResumedRun>;
  /** Id of the question that a chat's next message answers; undefined if there is none. */
  questionForMessage(request: Omit<AnswerRequest, "answer" | "live">): Promise<string | undefined>;
};

type FoundQuestion = { run: RunRow; wait: Wait };
type Asked = Omit<AnswerRequest, "answer" | "live">;

export function createAnswerService(
  { store, flowOfRun, logger }: HostContext,
  { resume }: RunContinuation,
): AnswerService {
  async function candidates({ agentId, chatId, executionId, by }: Asked): Promise<RunRow[]> {
    if (executionId === undefined && chatId === undefined) {
      throw new WeftError("validation-failed", {
        params: { reason: "humanInput requires the chatId or executionId of the waiting run" },
      });
    }
    const filter = executionId === undefined ? { agentId, ...(chatId === undefined ? {} : { chatId }) } : undefined;
    const runs = await store.listWaiting(filter ?? { runId: executionId ?? "" });
    const isMeant = (run: RunRow) => run.agentId === agentId && (chatId === undefined || run.chatId === chatId);
    const reached = runs.filter((run) => isMeant(run) && reaches(by.reach, run));
    // A caller that reaches others' chats answers its own first.
    return reached.toSorted((a, b) => Number(b.owner === by.owner) - Number(a.owner === by.owner));
  }

  async function questionsOf(row: RunRow): Promise<Wait[]> {
    const loaded = await store.load(row.id);
    const first = loaded?.events[0];
    if (!loaded || first?.type !== "run-started") return [];
    const flow = await flowOfRun(row.agentVersionId, first.input);
    return flow ? openQuestions(flow, loaded.events).map(({ wait }) => wait) : [];
  }

  /** A visitor's answer skips questions that only others may answer, unless there is nothing else. */
  async function findQuestion(request: Asked): Promise<FoundQuestion | undefined> {
    let isForbidden = false;
    for (const run of await candidates(request)) {
      const asked = (await questionsOf(run)).filter(({ waitId }) => [undefined, waitId].includes(request.waitId));
      const open = asked.filter(({ details }) => !(request.isVisitor && details.needsAccount === true));
      isForbidden ||= open.length < asked.length;
      const question = open.at(-1);
      if (question) return { run, wait: question };
    }
    if (isForbidden) throw new WeftError("approval-needs-account");
    return undefined;
  }

  /** Whether the question existed: then someone else answered first. */
  async function wasAnswered({ agentId, chatId, executionId, waitId, by }: AnswerRequest): Promise<boolean> {
    const { reach } = by;
    if (executionId === undefined) return chatId !== undefined && store.hasAnswer({ agentId, chatId, reach });
    const loaded = await store.load(executionId);
    const isIt = (event: RunEvent) =>
      event.type === "node-resumed" &&
      event.resumedBy === undefined &&
      (waitId === undefined || event.waitId === waitId);
    return loaded?.run.agentId === agentId && reaches(reach, loaded.run) && loaded.events.some(isIt);
  }

  /** Records who answers in place of a chat's owner. */
  function noteAnswer({ id, agentId, owner }: RunRow, { owner: answeredBy }: Answerer): void {
    if (owner === answeredBy) return;
    logger.info("chat-answered-by-another", { runId: id, agentId, owner, answeredBy });
  }

  return {
    async questionForMessage(request) {
      const { wait } = (await findQuestion(request)) ?? {};
      return wait?.details.takesMessages === true ? wait.waitId : undefined;
    },
    async answer(request, begun) {
      const { answer, content, live } = request;
      const question = await findQuestion(request);
      if (question) {
        const { run, wait } = question;
        const answering = { waitId: wait.waitId, answer, content, answeredBy: request.by.name };
        const resumed = await resume({ runId: run.id, ...answering, live }, begun);
        noteAnswer(run, request.by);
        return resumed;
      }
      if (await wasAnswered(request)) {
        throw new WeftError("conflict", { params: { reason: "This question was already answered." } });
      }
      throw new WeftError("validation-failed", { params: { reason: "nothing in this chat is waiting for an answer" } });
    },
  };
}
