import type { RunnableAgent } from "@weft/agents";
import type { CompiledFlow } from "@weft/engine";
import type { ChatModel, ModelReference } from "@weft/engine/ports/chat-model";
import type { EventStream, Frame } from "@weft/http/event-stream";
import { everything } from "@weft/http/identity";
import { type FollowUpSettings, parseFollowUps } from "@weft/providers";
import { anonymousOwner } from "@weft/run-host";
import { parseJson, type RunEvent, WeftError } from "@weft/schema";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import { keepByText } from "../chat-client/agent-policies.ts";
import type { Context } from "../context.ts";
import type { Needs } from "../feature.ts";

/** Suggested messages that a visitor may send next. */
export type FollowUps = {
  /**
   * A few suggestions to follow the answer of a run that completed within the last minute, if the agent's settings ask
   * for them; else none. Asks a model once a run, for at most ten seconds, and never rejects: they never delay or lose
   * an answer.
   */
  suggest(runId: string, readAgent: () => Promise<RunnableAgent>): Promise<string[]>;
};

export function createFollowUps(
  { clock, logger }: Context,
  { nodeServices: { models }, runHost: { budgets, executions, stopping } }: Needs<"nodeServices" | "runHost">,
): FollowUps {
  const known = new LRUCache<string, Promise<string[]>>({ max: keptRuns });
  const settingsOf = keepByText(parseFollowUps);

  async function ask(runId: string, settings: FollowUpSettings): Promise<string[]> {
    const { events, flow } = await executions.load(runId, everything);
    const turn = turnOf(events);
    if (turn === undefined || clock.now() - turn.endedAt > freshMs) return [];
    if (!(await mayAsk(runId, turn))) return [];
    const model = await models.resolve(settings.model ?? modelOf(flow));
    return askModel(model, { settings, turn, signal: AbortSignal.any([stopping, AbortSignal.timeout(timeoutMs)]) });
  }

  /** Takes the cost from a visitor's budget. Rejects with `budget-…`. */
  async function mayAsk(runId: string, { visitor, question, answer }: Turn): Promise<boolean> {
    if (visitor === undefined) return true;
    const tokens = tokensOfSuggestions + Math.ceil((question.length + answer.length) / charactersAToken);
    return (await budgets.spendOnce(`follow-ups ${runId}`, { ...visitor, isVisitor: true }, { tokens })) !== undefined;
  }

  return {
    async suggest(runId, readAgent) {
      try {
        const { agent } = await readAgent();
        const settings = settingsOf(agent.chatbotConfig);
        if (settings === undefined) return [];
        const asked = known.get(runId) ?? ask(runId, settings);
        known.set(runId, asked);
        return await asked;
      } catch (cause) {
        const code = cause instanceof WeftError ? cause.code : "timed-out";
        if (!stopping.aborted) logger.warn("follow-ups-not-suggested", { runId, code, cause });
        return [];
      }
    },
  };
}

/** Runs whose suggestions are kept for clients that reconnect. */
const keptRuns = 500;
/** Tokens of the instructions and the answer, with room. */
const tokensOfSuggestions = 500;
const charactersAToken = 4;
const freshMs = 60_000;
const timeoutMs = 10_000;

/**
 * A stream whose answer comes with follow-up suggestions: the metadata, and the end after them, wait for these.
 * Everything before is sent at once. The end also waits for what `afterwards` sends.
 */
export function withFollowUps(stream: EventStream, suggest: Suggest, afterwards?: Afterwards): EventStream {
  const leaving: (() => void)[] = [];
  let isEnding = false;
  const leave = () => {
    for (const act of leaving.splice(0)) act();
  };
  stream.onceOver(leave);
  return {
    ...stream,
    send(frames) {
      if (isEnding) return;
      const at = frames.findIndex(({ event }) => event === "metadata");
      if (at === -1) return stream.send(frames);
      stream.send(frames.slice(0, at));
      // The end is the last event, so its writer no longer needs the stream.
      isEnding = true;
      leave();
      void endWith(stream, frames.slice(at), { suggest, afterwards });
    },
    end: () => isEnding || stream.end(),
    cut: () => isEnding || stream.cut(),
    ready: async () => !isEnding && stream.ready(),
    onceOver: (act) => (isEnding ? act() : void leaving.push(act)),
  };
}

type Suggest = (runId: string) => Promise<string[]>;
type Afterwards = (metadata: Frame, stream: EventStream) => Promise<void>;

async function endWith(
  stream: EventStream,
  [metadata, ...rest]: Frame[],
  { suggest, afterwards }: { suggest: Suggest; afterwards: Afterwards | undefined },
): Promise<void> {
  const { success, data } = metadataSchema.safeParse(metadata?.data);
  if (metadata === undefined || !success) return stream.send(metadata === undefined ? rest : [metadata, ...rest]);
  const followUpPrompts = toFollowUpText(await suggest(data.executionId));
  const told = { ...metadata, data: { ...data, ...followUpPrompts } as Frame["data"] };
  if (afterwards === undefined) return stream.send([told, ...rest]);
  stream.send([told]);
  await afterwards(told, stream);
  stream.send(rest);
}

const metadataSchema = z.looseObject({ executionId: z.string() });

/** JSON text of a list, as existing clients read it; nothing if it is empty. */
export function toFollowUpText(prompts: readonly string[]): { followUpPrompts?: string } {
  return prompts.length === 0 ? {} : { followUpPrompts: JSON.stringify(prompts) };
}

type Turn = {
  question: string;
  answer: string;
  endedAt: number;
  /** The chat, if someone without credentials asked. */
  visitor: { agentId: string; chatId: string } | undefined;
};

/** The last turn in a chat of visitors or programs; undefined while the run continues, and for tests of the builder. */
function turnOf(events: readonly RunEvent[]): Turn | undefined {
  const [started, last] = [events[0], events.at(-1)];
  if (started?.type !== "run-started" || started.chatType !== "EXTERNAL" || last?.type !== "run-completed") return;
  const resumed = events.findLast((event) => event.type === "node-resumed" && event.turn !== undefined);
  const said = resumed?.type === "node-resumed" ? resumed.turn?.content : started.input.question;
  if (last.text.trim() === "") return undefined;
  const { agentId, chatId, owner } = started;
  const visitor = owner === anonymousOwner ? { agentId, chatId } : undefined;
  return { question: said ?? "", answer: last.text, endedAt: last.at, visitor };
}

const nodeWithModel = z.object({
  model: z.object({
    provider: z.string().optional(),
    model: z.string().optional(),
    baseUrl: z.string().optional(),
    credential: z.string().optional(),
  }),
});

/** The model of the flow's last step that has one. Empty if none does: then the default answers. */
function modelOf({ flow }: CompiledFlow): ModelReference {
  const models = flow.nodes.flatMap(({ config }) => nodeWithModel.safeParse(config).data?.model ?? []);
  return models.at(-1) ?? {};
}

type Request = { settings: FollowUpSettings; turn: Turn; signal: AbortSignal };

async function askModel(model: ChatModel, { settings, turn, signal }: Request): Promise<string[]> {
  const { prompt, temperature } = settings;
  const history = `User: ${shorten(turn.question)}\n\nAssistant: ${shorten(turn.answer)}`;
  const isWhole = prompt.includes("{history}");
  const answer = await model.answer({
    messages: [
      { role: "system", content: isWhole ? instructions : [prompt, instructions].filter(Boolean).join("\n\n") },
      { role: "user", content: isWhole ? prompt.replaceAll("{history}", () => history) : history },
    ],
    ...(temperature !== undefined && { parameters: { temperature } }),
    responseSchema: { name: "follow_ups", schema: answerSchema },
    signal,
  });
  return readPrompts(answer.text);
}

const most = 3;
const mostCharacters = 200;
const mostHistoryCharacters = 8_000;

const instructions =
  `Suggest ${most} short messages that the user may want to send next, in the language of the conversation and in the ` +
  `user's words. Each must make sense on its own. Do not repeat what was asked. Answer with JSON: {"questions": ["…"]}.`;

const answerSchema = {
  type: "object",
  properties: { questions: { type: "array", items: { type: "string" } } },
  required: ["questions"],
  additionalProperties: false,
};

function shorten(text: string): string {
  return text.length > mostHistoryCharacters ? `${text.slice(0, mostHistoryCharacters)}…` : text;
}

const promptsSchema = z.object({ questions: z.array(z.unknown()) }).transform(({ questions }) => questions);

/** The suggestions of a model, fenced or not; none if it wrote something else. */
function readPrompts(text: string): string[] {
  const json = text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1);
  const questions = promptsSchema.safeParse(parseJson(json)).data ?? [];
  const texts = questions.flatMap((one) => (typeof one === "string" ? one.trim() : []));
  return [...new Set(texts)].filter((one) => one !== "" && one.length <= mostCharacters).slice(0, most);
}
