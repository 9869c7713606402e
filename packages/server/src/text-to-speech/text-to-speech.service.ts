import type { RunnableAgent } from "@weft/agents";
import { createEventStream, type EventStream, type Frame } from "@weft/http/event-stream";
import type { Logger } from "@weft/http/logger";
import { parseTextToSpeech, type Speaker } from "@weft/providers";
import { type JsonObject, type VoiceServiceName, WeftError } from "@weft/schema";

export type TextToSpeechDeps = {
  getForRun(agentId: string): Promise<RunnableAgent>;
  speaker: Speaker;
  logger: Pick<Logger, "warn">;
};

type SpeakRequest = Reading & { chatbotConfig: string; own: AbortController };
type Reading = Parameters<Speaker["speak"]>[1];

/** What is read aloud: a text of one chat. */
export type Spoken = { agentId: string; chatId: string; chatMessageId: string };

/** Takes the events of a recording: `tts_start`, `tts_data` with pieces of an MP3 in base64, `tts_end` or `tts_abort`. */
export type Listener = {
  send(event: string, data: JsonObject): void;
  /** Resolves when more can be sent. */
  ready(): Promise<unknown>;
  signal: AbortSignal;
};

/** Reads answers aloud as their agents' settings say. */
export type TextToSpeechService = {
  /**
   * A stream of `tts_start`, `tts_data` with pieces of an MP3 in base64, and `tts_end`, or `tts_error` when the service
   * fails in the middle. Rejects with a `model-*` code when it fails before, and with `parameters-invalid` when the agent
   * reads nothing aloud. A message that is already being read begins again. Ends when `signal` aborts.
   */
  read(spoken: Spoken, text: string, signal: AbortSignal): Promise<Response>;
  /**
   * Reads an answer without being asked, where `textToSpeech` of this `chatbotConfig` has `autoPlay`. Never rejects: an
   * answer is not lost for it. Resolves at the end of the recording, or when `signal` aborts.
   */
  autoPlay(spoken: Spoken, answer: { text: string; chatbotConfig: string }, listener: Listener): Promise<void>;
  /** Stops reading the message, if this process does. */
  stop(spoken: Spoken): void;
  /** Voices that a service offers, of the credential's account or the operator's. Rejects with a `model-*` code. */
  findVoices(service: VoiceServiceName, credentialId: string | undefined, signal: AbortSignal): Promise<Voices>;
};

type Voices = Awaited<ReturnType<Speaker["findVoices"]>>;

/** Longer nobody waits at a form. */
const longestListMs = 20_000;
const longestMs = 180_000;
/** The longest text that is read. */
export const mostCharacters = 20_000;
const mostBytes = 32 * 1_024 * 1_024;

export function createTextToSpeechService({ getForRun, speaker, logger }: TextToSpeechDeps): TextToSpeechService {
  const reading = new Map<string, AbortController>();

  /** Resolves with false where nothing is read aloud. `own` stops it, as does another reading of the message. */
  async function speak(spoken: Spoken, { chatbotConfig, own, onAudio, ...rest }: SpeakRequest): Promise<boolean> {
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
  }

  function stop(spoken: Spoken): void {
    reading.get(keyOf(spoken))?.abort(stopped());
  }

  return {
    stop,

    findVoices: (service, credentialId, signal) =>
      speaker.findVoices({
        service,
        credentialId,
        signal: AbortSignal.any([signal, AbortSignal.timeout(longestListMs)]),
      }),

    async read(spoken, text, signal) {
      const { agent } = await getForRun(spoken.agentId);
      const own = new AbortController();
      const outlet = createOutlet(spoken.chatMessageId, () => own.abort(stopped()));
      const { onAudio } = outlet;
      void speak(spoken, { chatbotConfig: agent.chatbotConfig, text, signal, own, onAudio })
        .then((isOn) => outlet.end(isOn ? nothing() : notOn()))
        .catch((cause: unknown) => outlet.fail(cause, own.signal.aborted));
      return outlet.begun;
    },

    async autoPlay(spoken, { text, chatbotConfig }, { send, ready, signal }) {
      if (parseTextToSpeech(chatbotConfig)?.autoPlay !== true || text.trim() === "") return;
      const { chatMessageId } = spoken;
      let hasBegun = false;
      const onAudio = async (piece: Uint8Array) => {
        if (!hasBegun) send("tts_start", { chatMessageId, format: "mp3" });
        hasBegun = true;
        send("tts_data", { chatMessageId, audioChunk: Buffer.from(piece).toString("base64") });
        await ready();
      };
      const own = new AbortController();
      try {
        await speak(spoken, { chatbotConfig, text: text.slice(0, mostCharacters), signal, own, onAudio });
        if (hasBegun) send("tts_end", { chatMessageId });
      } catch (cause) {
        if (hasBegun) send("tts_abort", { chatMessageId });
        if (!signal.aborted && !own.signal.aborted) logger.warn("answer-not-read-aloud", { ...spoken, cause });
      }
    },
  };
}

/** Begins a stream with the first piece of a recording. `onLeave`: its reader is gone, or has it all. */
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
    async onAudio(piece: Uint8Array): Promise<void> {
      stream ??= begin();
      stream.send([toFrame("tts_data", { chatMessageId, audioChunk: Buffer.from(piece).toString("base64") })]);
      await stream.ready();
    },
    /** `silence`: why nothing came, if nothing did. */
    end(silence: WeftError): void {
      if (stream === undefined) begun.reject(silence);
      else finish(toFrame("tts_end", { chatMessageId }));
    },
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

/** As the clients read it: lines that begin with `data: `, each a whole event. */
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
const notOn = () => refusal("this agent reads nothing aloud. Choose a service under Speech in its settings.");
const nothing = () => refusal("the text has nothing that can be read aloud.");
const stopped = () => refusal("it was stopped.");
const tooLong = () => refusal("the recording is too long. Send a shorter text.");
