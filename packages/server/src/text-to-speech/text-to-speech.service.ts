import { createEventStream, type EventStream, type Frame } from "@weft/http/event-stream";
import { reachOf } from "@weft/http/identity";
import { createSpeaker, parseTextToSpeech, type Speaker } from "@weft/providers";
import type { SpentOnce } from "@weft/run-host";
import { type JsonObject, type VoiceServiceName, WeftError } from "@weft/schema";
import type { Context } from "../context.ts";
import type { Needs, Services } from "../feature.ts";

/** The subject of a reading: a text of one chat. */
export type Spoken = { agentId: string; chatId: string; chatMessageId: string };

/** A caller without credentials, by network if known. */
export type Visitor = { network?: string };

/**
 * Receives the events of a recording: `tts_start`, `tts_data` with pieces of an MP3 in base64, `tts_end` or
 * `tts_abort`.
 */
export type Listener = {
  send(event: string, data: JsonObject): void;
  /** Resolves when more can be sent. */
  ready(): Promise<unknown>;
  signal: AbortSignal;
};

/** Reads answers aloud, as configured by their agents. */
export type TextToSpeechService = {
  /**
   * A stream of `tts_start`, `tts_data` with pieces of an MP3 in base64, and `tts_end`, or `tts_error` if the service
   * fails midway. Rejects with a `model-*` code if it fails before, and with `parameters-invalid` if the agent does not
   * read answers aloud. A message that is already being read restarts. Ends when `signal` aborts. A visitor hears the
   * message, whose text may omit markup and words but not add any, once and within the agent's budget: rejects with
   * `not-found` if the chat has no such answer, with `conflict` the second time, and with `budget-…`. A recording that
   * the service broke off may be requested again; its cost stays counted.
   */
  read(spoken: Spoken, asked: { text: string; visitor: Visitor | undefined }, signal: AbortSignal): Promise<Response>;
  /**
   * Reads an answer automatically, if `textToSpeech` of this `chatbotConfig` has `autoPlay`. Never rejects, so that the
   * answer is not lost. Resolves at the end of the recording, or when `signal` aborts.
   */
  autoPlay(
    spoken: Spoken,
    answer: { text: string; chatbotConfig: string; visitor: Visitor | undefined },
    listener: Listener,
  ): Promise<void>;
  /** Stops reading the message, if this process does. */
  stop(spoken: Spoken): void;
  /** Voices that a service offers to the credential's account or the operator's. Rejects with a `model-*` code. */
  findVoices(service: VoiceServiceName, credentialId: string | undefined, signal: AbortSignal): Promise<Voices>;
};

type Voices = Awaited<ReturnType<Speaker["findVoices"]>>;

/** Nobody waits longer at a form. */
const longestListMs = 20_000;
const longestMs = 180_000;
/** The longest text that is read. */
export const mostCharacters = 20_000;
const mostBytes = 32 * 1_024 * 1_024;

export function createTextToSpeechService(
  context: Context,
  needs: Needs<"chats" | "credentials" | "runHost" | "runnables">,
): TextToSpeechService {
  const speaker = createSpeaker(context.modelDefaults, needs.credentials.readPlaceholders, context.modelHttp.fetch);
  const { speak, stop } = createReadings(speaker);
  const { pay, forgive } = createPayments(context, needs);

  return {
    stop,

    findVoices: (service, credentialId, signal) =>
      speaker.findVoices({
        service,
        credentialId,
        signal: AbortSignal.any([signal, AbortSignal.timeout(longestListMs)]),
      }),

    async read(spoken, { text: asked, visitor }, signal) {
      const { agent } = await needs.runnables.getForRun(spoken.agentId);
      if (parseTextToSpeech(agent.chatbotConfig) === undefined) throw notOn();
      const text = visitor === undefined ? asked : heardOf(await storedText(needs.chats, spoken), asked);
      const spent = await pay(spoken, text, visitor);
      const own = new AbortController();
      const outlet = createOutlet(spoken.chatMessageId, () => own.abort(stopped()));
      const { onAudio } = outlet;
      void speak(spoken, { chatbotConfig: agent.chatbotConfig, text, signal, own, onAudio })
        .then((isOn) => {
          if (!outlet.hasBegun()) throw isOn ? nothing() : notOn();
          outlet.end();
        })
        .catch(async (cause: unknown) => {
          if (!own.signal.aborted && !signal.aborted) await forgive(spoken, spent, outlet.hasBegun() && cause);
          outlet.fail(cause, own.signal.aborted);
        });
      return outlet.begun;
    },

    async autoPlay(spoken, { text: answered, chatbotConfig, visitor }, { send, ready, signal }) {
      if (parseTextToSpeech(chatbotConfig)?.autoPlay !== true || answered.trim() === "") return;
      const text = answered.slice(0, mostCharacters);
      const { chatMessageId } = spoken;
      let hasBegun = false;
      const onAudio = async (piece: Uint8Array) => {
        if (!hasBegun) send("tts_start", { chatMessageId, format: "mp3" });
        hasBegun = true;
        send("tts_data", { chatMessageId, audioChunk: Buffer.from(piece).toString("base64") });
        await ready();
      };
      const own = new AbortController();
      let spent: SpentOnce | undefined;
      try {
        spent = await pay(spoken, text, visitor);
        await speak(spoken, { chatbotConfig, text, signal, own, onAudio });
        if (hasBegun) send("tts_end", { chatMessageId });
      } catch (cause) {
        if (hasBegun) send("tts_abort", { chatMessageId });
        if (signal.aborted || own.signal.aborted) return;
        await forgive(spoken, spent, hasBegun && cause);
        context.logger.warn("answer-not-read-aloud", { ...spoken, cause });
      }
    },
  };
}

/** Readings of this process, at most one of a message. */
function createReadings(speaker: Speaker) {
  const reading = new Map<string, AbortController>();

  function stop(spoken: Spoken): void {
    reading.get(keyOf(spoken))?.abort(stopped());
  }

  return {
    stop,
    /** Resolves with false if nothing is read aloud. `own` stops it, as does another reading of the message. */
    async speak(spoken: Spoken, { chatbotConfig, own, onAudio, ...rest }: SpeakRequest): Promise<boolean> {
      stop(spoken);
      const key = keyOf(spoken);
      reading.set(key, own);
      const signal = AbortSignal.any([rest.signal, own.signal, AbortSignal.timeout(longestMs)]);
      let bytes = 0;
      const onPiece = (piece: Uint8Array) => {
        bytes += piece.byteLength;
        if (bytes > mostBytes) throw tooLong();
        return onAudio(piece);
      };
      try {
        return await speaker.speak(chatbotConfig, { text: rest.text, signal, onAudio: onPiece });
      } finally {
        if (reading.get(key) === own) reading.delete(key);
      }
    },
  };
}

type SpeakRequest = Reading & { chatbotConfig: string; own: AbortController };
type Reading = Parameters<Speaker["speak"]>[1];

/** What readings take from the budgets of visitors. */
function createPayments({ logger }: Context, { runHost: { budgets } }: Needs<"runHost">) {
  return {
    async pay(spoken: Spoken, text: string, visitor: Visitor | undefined): Promise<SpentOnce | undefined> {
      if (visitor === undefined) return undefined;
      const { agentId, chatId } = spoken;
      const tokens = Math.ceil(text.length / charactersAToken);
      const spender = { agentId, chatId, isVisitor: true, ...visitor };
      const spent = await budgets.spendOnce(`speech ${keyOf(spoken)}`, spender, { tokens });
      if (spent === undefined) throw new WeftError("conflict", { params: { reason: readBefore } });
      return spent;
    },
    /**
     * After a failure: what was never heard costs nothing, and what the service broke off (`brokenBy`, false: nothing
     * arrived) may be requested again. A slow listener, or a text that is too long, does not count as broken off. Never
     * rejects.
     */
    async forgive(spoken: Spoken, spent: SpentOnce | undefined, brokenBy: unknown): Promise<void> {
      const isOfService = brokenBy instanceof WeftError && brokenBy.code === "model-interrupted";
      const done = brokenBy === false ? spent?.refund() : isOfService ? spent?.allowAgain() : undefined;
      await done?.catch((cause: unknown) => logger.warn("speech-not-given-back", { ...spoken, cause }));
    },
  };
}

/** The answer as it is stored. Rejects with `not-found`. */
async function storedText(
  { messages }: Services["chats"],
  { agentId, chatId, chatMessageId: messageId }: Spoken,
): Promise<string> {
  const found = await messages.list(agentId, { chatId, messageId, reach: reachOf(undefined) });
  const [message] = Array.isArray(found) ? found : found.data;
  if (message?.role === "apiMessage" && message.content.trim() !== "") return message.content.slice(0, mostCharacters);
  throw new WeftError("not-found", { params: { resource: "answer", id: messageId } });
}

/** The requested text, if all its words appear in the answer in this order; else the answer. */
function heardOf(answer: string, asked: string): string {
  if (asked.length > answer.length) return answer;
  const there = wordsOf(answer);
  let next = 0;
  for (const word of wordsOf(asked)) {
    const found = there.indexOf(word, next);
    if (found < 0) return answer;
    next = found + 1;
  }
  return next === 0 ? answer : asked;
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}

/** Starts a stream with the first piece of a recording. `onLeave`: its reader is gone, or has it all. */
function createOutlet(chatMessageId: string, onLeave: () => void) {
  const begun = Promise.withResolvers<Response>();
  let stream: EventStream | undefined;

  function begin(): EventStream {
    const opened = createEventStream({ toText: toStandardText });
    opened.onceOver(onLeave);
    opened.send([toFrame("tts_start", { chatMessageId, format: "mp3" })]);
    begun.resolve(opened.response);
    return opened;
  }

  function finish(frame: Frame): void {
    stream?.send([frame]);
    stream?.end();
  }

  return {
    begun: begun.promise,
    hasBegun: () => stream !== undefined,
    async onAudio(piece: Uint8Array): Promise<void> {
      stream ??= begin();
      stream.send([toFrame("tts_data", { chatMessageId, audioChunk: Buffer.from(piece).toString("base64") })]);
      await stream.ready();
    },
    end: () => finish(toFrame("tts_end", { chatMessageId })),
    fail(cause: unknown, isStopped: boolean): void {
      if (stream === undefined) begun.reject(cause);
      else finish(isStopped ? toFrame("tts_abort", { chatMessageId }) : toFailure(chatMessageId, cause));
    },
  };
}

function keyOf({ agentId, chatId, chatMessageId }: Spoken): string {
  return JSON.stringify([agentId.toLowerCase(), chatId, chatMessageId]);
}

function toFrame(event: string, data: Frame["data"]): Frame {
  return { id: "", event, data };
}

/** As clients read it: lines that start with `data: `, each a whole event. */
function toStandardText({ event, data }: Frame): string {
  return `event: ${event}\ndata: ${JSON.stringify({ event, data })}\n\n`;
}

function toFailure(chatMessageId: string, cause: unknown): Frame {
  const error = cause instanceof WeftError ? cause.message : "The answer could not be read to its end. Try again.";
  return toFrame("tts_error", { chatMessageId, error });
}

function refusal(reason: string): WeftError {
  return new WeftError("parameters-invalid", { params: { reason } });
}
const charactersAToken = 4;
const readBefore = "this answer was read aloud before. Ask the agent again, or read it yourself.";
const notOn = () => refusal("this agent reads nothing aloud. Choose a service under Speech in its settings.");
const nothing = () => refusal("the text has nothing that can be read aloud.");
const stopped = () => refusal("it was stopped.");
const tooLong = () => refusal("the recording is too long. Send a shorter text.");
