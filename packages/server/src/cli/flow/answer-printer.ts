import type { TextDelta } from "@weft/engine";
import type { RunEvent } from "@weft/schema";

/** Prints what the answering node says while it is written; without deltas, the answer at its end. */
export type AnswerPrinter = {
  committed(events: readonly RunEvent[]): void;
  delta(delta: TextDelta): void;
  /** Prints what of the answer was not printed yet. */
  finish(text: string): void;
};

export function createAnswerPrinter(write: (text: string) => void): AnswerPrinter {
  const answering = new Set<string>();
  let message = 0;
  let said = "";

  return {
    committed(events) {
      for (const event of events) if (event.type === "node-started" && event.isAnswer) answering.add(event.nodeKey);
    },
    delta({ nodeKey, effectSeq, text }) {
      if (!answering.has(nodeKey)) return;
      if (effectSeq !== message && said !== "") write("\n");
      said = effectSeq === message ? said + text : text;
      message = effectSeq;
      write(text);
    },
    finish(text) {
      if (text.startsWith(said)) write(`${text.slice(said.length)}\n`);
      else write(`\n${text}\n`);
    },
  };
}
