import { toText } from "@weft/engine";
import type { Json, RunEvent, RunEventOf } from "@weft/schema";
import { createStreamMessages, type Speaker, type TextFrame } from "./stream-messages.ts";

/** A piece of a message, from a model or from what this process keeps of it. */
export type TextPiece = { nodeKey: string; effectSeq: number; offset: number; text: string };

/**
 * The text of one stream.
 * - T1 Each message goes out in order, each character once: pieces while it is written, and what they left out when it is
 *   in the journal, before the frames of the event that finishes it.
 * - T2 A message that will never be finished (its model call failed or was made again, or the run ended) is void.
 * - T3 What the text is follows from the journal alone, wherever and whenever it is read.
 */
export type StreamText = {
  /** Text that comes before the frames of `event`. */
  before(event: RunEvent): TextFrame[];
  piece(piece: TextPiece): TextFrame[];
  /** Goes on for a client that has the events so far and `chars` of the answer's message. Others begin again. */
  resumeAt(chars: number): TextFrame[];
  /** What the client has of the answer's message. */
  chars(): number;
};

/** `question`: what was asked last of what the run waits for. */
export function createStreamText(question: () => string): StreamText {
  const speakers = new Map<string, Speaker>();
  const messages = createStreamMessages();
  /** What a client that comes back has of the next text that is said as a whole. */
  let ahead = 0;

  function startNode({ nodeKey, nodeId, isAnswer }: RunEventOf<"node-started">): TextFrame[] {
    const { finished, said } = speakers.get(nodeKey) ?? { finished: 0, said: "" };
    speakers.set(nodeKey, { nodeKey, nodeId, isAnswer: isAnswer === true, finished, said });
    return [];
  }

  function startCall({ category, nodeKey, effectKey, seq }: RunEventOf<"effect-started"> & RunEvent): TextFrame[] {
    const speaker = speakers.get(nodeKey);
    if (category !== "model" || !speaker) return [];
    return messages.begin({ speaker, effectKey, effectSeq: seq, sent: 0 });
  }

  function finishCall({ nodeKey, effectKey, outcome }: RunEventOf<"effect-finished">): TextFrame[] {
    const message = messages.of(nodeKey);
    if (message?.effectKey !== effectKey) return [];
    return outcome.ok ? messages.finish(message, textOf(outcome.value)) : messages.discard(message);
  }

  /** A text that no model wrote, or that is not what it wrote last. */
  function sayWhole(speaker: Speaker, text: string): TextFrame[] {
    const message = { speaker, effectKey: "", effectSeq: 0, sent: ahead };
    ahead = 0;
    return [...messages.begin(message), ...messages.finish(message, text)];
  }

  function completeNode({ nodeKey, text, output, jumpTo }: RunEventOf<"node-completed">): TextFrame[] {
    const speaker = speakers.get(nodeKey);
    const frames = messages.discard(messages.of(nodeKey));
    const whole = text ?? toText(output);
    if (!speaker?.isAnswer || jumpTo !== undefined || speaker.said === whole) return frames;
    return [...frames, ...sayWhole(speaker, whole)];
  }

  function completeRun({ answerNodeKey, text }: RunEventOf<"run-completed">): TextFrame[] {
    const frames = messages.discardAll();
    if (answerNodeKey !== null && speakers.get(answerNodeKey)?.isAnswer) return frames;
    return [...frames, ...sayWhole(narrator(), text)];
  }

  /** Another stream: its text begins anew. */
  function resume(): TextFrame[] {
    messages.forget();
    for (const speaker of speakers.values()) speaker.finished = 0;
    return [];
  }

  function before(event: RunEvent): TextFrame[] {
    switch (event.type) {
      case "node-started":
        return startNode(event);
      case "effect-started":
        return startCall(event);
      case "effect-finished":
        return finishCall(event);
      case "node-completed":
        return completeNode(event);
      case "node-failed":
        return messages.discard(messages.of(event.nodeKey));
      case "node-resumed":
        return resume();
      case "run-suspended":
        return [...messages.discardAll(), ...sayWhole(narrator(), question())];
      case "run-completed":
        return completeRun(event);
      case "run-failed":
      case "run-cancelled":
        return messages.discardAll();
      default:
        return [];
    }
  }

  return {
    chars: messages.chars,
    before,
    piece({ nodeKey, effectSeq, offset, text }) {
      const message = messages.of(nodeKey);
      if (message?.effectSeq !== effectSeq || offset > message.sent) return [];
      return messages.say(message, text.slice(message.sent - offset));
    },
    resumeAt(chars) {
      const { frames, isAnswering } = messages.resumeAt(chars);
      if (!isAnswering) ahead = chars;
      return frames;
    },
  };
}

/** Who says what no node says as the answer. */
function narrator(): Speaker {
  return { nodeKey: "", nodeId: "", isAnswer: true, finished: 0, said: "" };
}

/** The words of a model's answer, as the journal keeps it. */
function textOf(value: Json): string {
  const isAnswer = value !== null && typeof value === "object" && !Array.isArray(value);
  return isAnswer && typeof value.text === "string" ? value.text : "";
}
