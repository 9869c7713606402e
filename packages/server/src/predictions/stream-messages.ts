import type { Json } from "@weft/schema";

/** A frame of text. `chars`: how much of the answer's message the client has after it. */
export type TextFrame = { event: "token" | "nodeToken" | "restart"; data: Json; chars: number };

/** One execution of a node. `finished`: characters of its messages that are complete; `said`: the last of them. */
export type Speaker = { nodeKey: string; nodeId: string; isAnswer: boolean; finished: number; said: string };

/** What a model call says. `sent`: characters that the client has of it. */
export type Message = { speaker: Speaker; effectKey: string; effectSeq: number; sent: number };

/**
 * The messages of one stream that are being written: at most one of a node, and at most one of the answer.
 * All lengths are UTF-16 code units.
 */
export type StreamMessages = {
  of(nodeKey: string): Message | undefined;
  begin(message: Message): TextFrame[];
  say(message: Message, text: string): TextFrame[];
  /** Sends what is missing of the whole text. */
  finish(message: Message, text: string): TextFrame[];
  /** For messages that will never be finished: `restart` says how much text before them to keep. */
  discard(message: Message | undefined): TextFrame[];
  discardAll(): TextFrame[];
  /** Begins a stream in which nothing was said. No message is open. */
  forget(): void;
  /** Sets what the client has of the answer's message, if one is open. What it has of others is not known, and void. */
  resumeAt(chars: number): { frames: TextFrame[]; isAnswering: boolean };
  /** What the client has of the answer's message. */
  chars(): number;
};

export function createStreamMessages(): StreamMessages {
  const open = new Map<string, Message>();
  let answer: Message | undefined;
  let answered = 0;

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
    say,
    discard,
    discardAll: () => [...open.values()].flatMap(discard),
    chars,
    forget() {
      answered = 0;
    },
    begin(message) {
      const { nodeKey, isAnswer } = message.speaker;
      const frames = [...discard(open.get(nodeKey)), ...(isAnswer ? discard(answer) : [])];
      open.set(nodeKey, message);
      if (isAnswer) answer = message;
      return frames;
    },
    finish(message, text) {
      const frames = say(message, text.slice(message.sent));
      const { speaker } = message;
      speaker.said = text;
      speaker.finished += text.length;
      if (speaker.isAnswer) answered += text.length;
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
