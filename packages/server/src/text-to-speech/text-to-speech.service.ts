import type { RunnableAgent } from "@weft/agents";
import { createEventStream, type EventStream, type Frame } from "@weft/http/event-stream";
import type { Speaker } from "@weft/providers";
import { type VoiceServiceName, WeftError } from "@weft/schema";

export type TextToSpeechDeps = {
  getForRun(agentId: string): Promise<RunnableAgent>;
  speaker: Speaker;
};

/** What is read aloud: a text of one chat. */
export type Spoken = { agentId: string; chatId: string; chatMessageId: string };

/** Reads answers aloud as their agents' settings say. */
export type TextToSpeechService = {
  /**
   * A stream of `tts_start`, `tts_data` with pieces of an MP3 in base64, and `tts_end`, or `tts_error` when the service
   * fails in the middle. Rejects with a `model-*` code when it fails before, and with `parameters-invalid` when the agent
   * reads nothing aloud. A message that is already being read begins again. Ends when `signal` aborts.
   */
  read(spoken: Spoken, text: string, signal: AbortSignal): Promise<Response>;
  /** Stops reading the message, if this process does. */
  stop(spoken: Spoken): void;
  /** Voices that a service offers, of the credential's account or the operator's. Rejects with a `model-*` code. */
  findVoices(service: VoiceServiceName, credentialId: string | undefined, signal: AbortSignal): Promise<Voices>;
};

type Voices = Awaited<ReturnType<Speaker["findVoices"]>>;

/** Longer nobody waits at a form. */
const longestListMs = 20_000;
const longestMs = 180_000;
const mostBytes = 32 * 1_024 * 1_024;

export function createTextToSpeechService({ getForRun, speaker }: TextToSpeechDeps): TextToSpeechService {
  const reading = new Map<string, AbortController>();

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
      stop(spoken);
      const own = new AbortController();
      const key = keyOf(spoken);
      reading.set(key, own);
      const until = AbortSignal.any([signal, own.signal, AbortSignal.timeout(longestMs)]);
      const outlet = createOutlet(spoken.chatMessageId, () => own.abort(stopped()));
      const { onAudio } = outlet;
      void speaker
        .speak(agent.chatbotConfig, { text, signal: until, onAudio })
        .then((isOn) => outlet.end(isOn ? nothing() : notOn()))
        .catch((cause: unknown) => outlet.fail(cause, own.signal.aborted))
        .finally(() => reading.get(key) === own && reading.delete(key));
      return outlet.begun;
    },
  };
}

/** Begins a stream with the first piece of a recording. `onLeave`: its reader is gone, or has it all. */
function createOutlet(chatMessageId: string, onLeave: () => void) {
  const begun = Promise.withResolvers<Response>();
  let stream: EventStream | undefined;
  let sentBytes = 0;

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
      sentBytes += piece.byteLength;
      if (sentBytes > mostBytes) throw tooLong();
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
