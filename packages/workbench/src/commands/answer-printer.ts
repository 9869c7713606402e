import type { TextDelta } from "@weft/engine/ports/observer";
import type { RunEvent } from "@weft/schema";

/** Prints the answering node's text as it streams; without deltas, the answer at the end. */
export type AnswerPrinter = {
  committed(events: readonly RunEvent[]): void;
  delta(delta: TextDelta): void;
  /** Ends the line of a partial answer, so that a step's line can follow on the same terminal. */
  endLine(): void;
  /** Prints the part of the answer not printed yet. */
  finish(text: string): void;
};

export function createAnswerPrinter(write: (text: string) => void): AnswerPrinter {
  const answering = new Set<string>();
  let message = 0;
  let said = "";
  let isMidLine = false;

  function print(text: string): void {
    if (text === "") return;
    write(text);
    isMidLine = !text.endsWith("\n");
  }

  function endLine(): void {
    if (isMidLine) print("\n");
  }

  return {
    committed(events) {
      for (const event of events) if (event.type === "node-started" && event.isAnswer) answering.add(event.nodeKey);
    },
    delta({ nodeKey, effectSeq, text }) {
      if (!answering.has(nodeKey)) return;
      if (effectSeq !== message) endLine();
      said = effectSeq === message ? said + text : text;
      message = effectSeq;
      print(text);
    },
    endLine,
    finish(text) {
      if (!text.startsWith(said)) endLine();
      print(text.startsWith(said) ? text.slice(said.length) : text);
      endLine();
    },
  };
}
