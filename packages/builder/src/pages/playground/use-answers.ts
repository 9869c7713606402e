import type { ModelQuestion, StreamFrame } from "@weft/client";
import type { ModelAnswer } from "@weft/schema";
import { useEffect, useRef, useState } from "react";
import { client, errorSentence } from "../../api/client.ts";

/** What one model has said so far. `answer`: it has ended. */
export type Answering = { text: string; isRunning: boolean; answer?: ModelAnswer; problem?: string };

const nothing: Answering = { text: "", isRunning: false };

export type Answers = {
  of(column: number): Answering;
  isRunning: boolean;
  /** Asks the model of each column at the same time. */
  ask(questions: ReadonlyMap<number, ModelQuestion>): void;
  stop(): void;
};

export function useAnswers(): Answers {
  const [all, setAll] = useState<ReadonlyMap<number, Answering>>(new Map());
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const change = (column: number, to: (before: Answering) => Answering) =>
    setAll((before) => new Map(before).set(column, to(before.get(column) ?? nothing)));

  async function follow(column: number, question: ModelQuestion, signal: AbortSignal): Promise<void> {
    try {
      for await (const frame of await client.askModel(question, { signal })) {
        change(column, (before) => withFrame(before, frame));
      }
    } catch (error) {
      if (!signal.aborted) change(column, (before) => ({ ...before, problem: errorSentence(error) }));
    }
    change(column, (before) => ({ ...before, isRunning: false }));
  }

  return {
    of: (column) => all.get(column) ?? nothing,
    isRunning: [...all.values()].some(({ isRunning }) => isRunning),
    ask(questions) {
      running.current?.abort();
      running.current = new AbortController();
      const { signal } = running.current;
      setAll(new Map([...questions.keys()].map((column) => [column, { ...nothing, isRunning: true }])));
      for (const [column, question] of questions) void follow(column, question, signal);
    },
    stop: () => running.current?.abort(),
  };
}

function withFrame(before: Answering, { event, data }: StreamFrame): Answering {
  switch (event) {
    case "token":
      return { ...before, text: before.text + String(data) };
    case "answer":
      return { ...before, answer: data as ModelAnswer, isRunning: false };
    case "error":
      return { ...before, problem: (data as { message: string }).message };
    default:
      return before;
  }
}
