import { betweenMessages } from "@weft/engine";
import { toText } from "@weft/engine/template";
import { endsAnswer, isJsonObject, type Json, type RunEvent, type RunEventOf } from "@weft/schema";

/** A piece of a message, from a model or from this process's copy. */
export type TextPiece = { nodeKey: string; effectSeq: number; offset: number; text: string };

/**
 * The text of one stream.
 * - T1 Each message goes out in order, each character once: pieces while it is written, and what they left out when it is
 *   in the journal, before the frames of the event that finishes it.
 * - T2 A message that will never be finished (its model call failed or was made again, or the run ended) is void.
 * - T3 Messages of different nodes stand apart by a blank line, as in the answer.
 * - T4 What the text is follows from the journal alone, wherever and whenever it is read.
 */
export type StreamText = {
  /** Text that precedes the frames of `event`. */
  before(event: RunEvent): TextFrame[];
  piece(piece: TextPiece): TextFrame[];
  /** Continues for a client that has the events so far and `chars` of the answer's message. Others start over. */
  resumeAt(chars: number): TextFrame[];
  /** Characters of the answer's message that the client has. */
  chars(): number;
};

/** `question`: the last question, or what the run waits for. */
export function createStreamText(question: () => string): StreamText {
  const speakers = new Map<string, Speaker>();
  const messages = createStreamMessages();
  /** The messages of the completed nodes, since the run was last answered. */
  let told: string[] = [];
  /** Characters that a reconnecting client has of the next text that is sent whole. */
  let ahead = 0;
  /** The run is suspended, and its caller was answered. */
  let isAnswered = false;

  /** A text that no model wrote, or that differs from what it last wrote. */
  function sayWhole(speaker: Speaker, text: string): TextFrame[] {
    const { message, frames } = messages.begin({ speaker, effectKey: "", effectSeq: 0, sent: ahead });
    ahead = 0;
    return [...frames, ...messages.finish(message, text)];
  }

  function completeNode({ nodeKey, text, output, jumpTo }: RunEventOf<"node-completed">): TextFrame[] {
    const speaker = speakers.get(nodeKey);
    const whole = text ?? toText(output);
    const frames = messages.discard(messages.of(nodeKey));
    if (!speaker?.isAnswer || jumpTo !== undefined) return frames;
    if (whole !== "") told.push(whole);
    return [...frames, ...(speaker.said === whole ? [] : sayWhole(speaker, whole))];
  }

  function completeRun({ answerNodeKey, text }: RunEventOf<"run-completed">): TextFrame[] {
    const isSaid = answerNodeKey !== null && speakers.get(answerNodeKey)?.isAnswer === true;
    return [...messages.discardAll(), ...(isSaid ? [] : sayWhole(narrator(), untold(told, text)))];
  }

  /** Another stream: its text starts over. A run whose caller is still connected only continues. */
  function resume(): TextFrame[] {
    if (!isAnswered) return [];
    isAnswered = false;
    told = [];
    messages.forget();
    for (const speaker of speakers.values()) speaker.finished = 0;
    return [];
  }

  function before(event: RunEvent): TextFrame[] {
    switch (event.type) {
      case "node-started":
        return startNode(speakers, event);
      case "effect-started":
        return startCall(messages, speakers.get(event.nodeKey), event);
      case "effect-finished":
        return finishCall(messages, event);
      case "node-completed":
        return completeNode(event);
      case "node-failed":
        return messages.discard(messages.of(event.nodeKey));
      case "node-resumed":
        return resume();
      case "run-suspended":
        isAnswered = endsAnswer(event);
        return isAnswered ? [...messages.discardAll(), ...sayWhole(narrator(), question())] : [];
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
    piece: messages.piece,
    resumeAt(chars) {
      const { frames, isAnswering } = messages.resumeAt(chars);
      if (!isAnswering) ahead = chars;
      return frames;
    },
  };
}

/**
 * The part of a piece, and of its lead, that a client lacks. Empty for a piece that does not follow what the client
 * has.
 */
function pieceOf({ sent, lead }: Message, offset: number, text: string): string {
  if (offset === 0 && sent < lead.length) return lead.slice(sent) + text;
  const has = sent - lead.length;
  return offset > has ? "" : text.slice(has - offset);
}

/** The part of a turn's text that follows its messages. */
function untold(told: readonly string[], text: string): string {
  const before = told.join(betweenMessages);
  if (before === "" || !text.startsWith(before)) return text;
  return text.slice(before.length + betweenMessages.length);
}

function startNode(
  speakers: Map<string, Speaker>,
  { nodeKey, nodeId, isAnswer }: RunEventOf<"node-started">,
): TextFrame[] {
  const { finished, said } = speakers.get(nodeKey) ?? { finished: 0, said: "" };
  speakers.set(nodeKey, { nodeKey, nodeId, isAnswer: isAnswer === true, finished, said });
  return [];
}

function startCall(
  messages: StreamMessages,
  speaker: Speaker | undefined,
  { category, effectKey, seq }: RunEventOf<"effect-started"> & RunEvent,
): TextFrame[] {
  if (category !== "model" || !speaker) return [];
  return messages.begin({ speaker, effectKey, effectSeq: seq, sent: 0 }).frames;
}

function finishCall(
  messages: StreamMessages,
  { nodeKey, effectKey, outcome }: RunEventOf<"effect-finished">,
): TextFrame[] {
  const message = messages.of(nodeKey);
  if (message?.effectKey !== effectKey) return [];
  return outcome.ok ? messages.finish(message, textOf(outcome.value)) : messages.discard(message);
}

/** The speaker of answer text that comes from no node. */
function narrator(): Speaker {
  return { nodeKey: "", nodeId: "", isAnswer: true, finished: 0, said: "" };
}

/** The text of a model's answer, as journalled. */
function textOf(value: Json): string {
  const isAnswer = isJsonObject(value);
  return isAnswer && typeof value.text === "string" ? value.text : "";
}

/** A frame of text. `chars`: how much of the answer's message the client has after it. */
export type TextFrame = { event: "token" | "nodeToken" | "restart"; data: Json; chars: number };

/** One execution of a node. `finished`: characters of its complete messages; `said`: the last of them. */
type Speaker = { nodeKey: string; nodeId: string; isAnswer: boolean; finished: number; said: string };

/** The text of a model call. `sent`: characters that the client has of it. */
type Opening = { speaker: Speaker; effectKey: string; effectSeq: number; sent: number };

/** `lead`: separates the message from the previous one. It is sent with the first text and counts in `sent`. */
type Message = Opening & { readonly lead: string };

/**
 * The messages of one stream in progress: at most one per node, and at most one of the answer.
 * All lengths are UTF-16 code units.
 */
type StreamMessages = {
  of(nodeKey: string): Message | undefined;
  begin(opening: Opening): { message: Message; frames: TextFrame[] };
  /** A piece of a message in progress; other pieces are late. */
  piece(piece: TextPiece): TextFrame[];
  /** Sends the rest of the whole text. */
  finish(message: Message, text: string): TextFrame[];
  /** For messages that will never be finished: `restart` says how much text before them to keep. */
  discard(message: Message | undefined): TextFrame[];
  discardAll(): TextFrame[];
  /** Starts an empty stream. No message is open. */
  forget(): void;
  /** Sets what the client has of the answer's message, if one is open. What it has of others is unknown, and void. */
  resumeAt(chars: number): { frames: TextFrame[]; isAnswering: boolean };
  /** Characters of the answer's message that the client has. */
  chars(): number;
};

function createStreamMessages(): StreamMessages {
  const open = new Map<string, Message>();
  let answer: Message | undefined;
  let answered = 0;
  /** Speaker of the newest complete message of the answer. */
  let lastSpeaker = "";

  const chars = () => answer?.sent ?? 0;

  function say(message: Message, text: string): TextFrame[] {
    if (text === "") return [];
    message.sent += text.length;
    const { nodeId, nodeKey, isAnswer } = message.speaker;
    return isAnswer
      ? [{ event: "token", data: text, chars: chars() }]
      : [{ event: "nodeToken", data: { nodeId, nodeKey, token: text }, chars: chars() }];
  }

  function discard(message: Message | undefined): TextFrame[] {
    if (!message) return [];
    close(message);
    return message.sent === 0 ? [] : [restart(message)];
  }

  function restart({ speaker: { nodeId, nodeKey, isAnswer, finished } }: Message): TextFrame {
    const data = isAnswer ? { keep: answered } : { nodeId, nodeKey, keep: finished };
    return { event: "restart", data, chars: chars() };
  }

  function close(message: Message): void {
    open.delete(message.speaker.nodeKey);
    if (answer === message) answer = undefined;
  }

  return {
    of: (nodeKey) => open.get(nodeKey),
    piece({ nodeKey, effectSeq, offset, text }) {
      const message = open.get(nodeKey);
      return message?.effectSeq === effectSeq ? say(message, pieceOf(message, offset, text)) : [];
    },
    discard,
    discardAll: () => [...open.values()].flatMap(discard),
    chars,
    forget() {
      answered = 0;
    },
    begin(opening) {
      const { nodeKey, isAnswer } = opening.speaker;
      const isNext = isAnswer && answered > 0 && nodeKey !== lastSpeaker;
      const message = { ...opening, lead: isNext ? betweenMessages : "" };
      const frames = [...discard(open.get(nodeKey)), ...(isAnswer ? discard(answer) : [])];
      open.set(nodeKey, message);
      if (isAnswer) answer = message;
      return { message, frames };
    },
    finish(message, text) {
      const { speaker, lead } = message;
      const whole = text === "" ? "" : lead + text;
      const frames = say(message, whole.slice(message.sent));
      speaker.said = text;
      speaker.finished += text.length;
      if (speaker.isAnswer && whole !== "") {
        answered += whole.length;
        lastSpeaker = speaker.nodeKey;
      }
      close(message);
      return frames;
    },
    resumeAt(count) {
      if (answer) answer.sent = count;
      const others = [...open.values()].filter((message) => message !== answer);
      return { frames: others.map(restart), isAnswering: answer !== undefined };
    },
  };
}
