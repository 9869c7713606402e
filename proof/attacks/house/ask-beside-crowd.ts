import type { Answer } from "./caller.ts";
import { holdAnswers, pause, timed } from "./hold-answers.ts";
import type { FlowSketch, House } from "./open-house.ts";

/** Many requests to one agent, all of which wait for a slow service. */
export type Crowd = {
  /** The agent of the crowd, which calls the slow service. */
  hog(slowUrl: string): FlowSketch;
  /** The agent that is asked meanwhile. */
  other: FlowSketch;
  /** Sends the requests to the path of the crowd's agent. Each resolves when it is over. */
  send(path: string): readonly Promise<unknown>[];
  /** From the first call of the service to the question to the other agent. */
  pauseMs: number;
  /** What the crowd does once the other agent has answered. Default: waits for its own answers. */
  leave?(): void;
};

/** The other agent's answer, and how many calls of the slow service waited at that moment. */
export type AnswerBeside = { answer: Answer; tookMs: number; held: number };

/** Asks another agent, from another address, while a crowd waits. Resolves when the crowd is gone. */
export async function askBesideCrowd(house: House, { hog, other, send, pauseMs, leave }: Crowd): Promise<AnswerBeside> {
  const holding = holdAnswers();
  const slow = await house.shop(holding.reply);
  const hogId = await house.agent(hog(slow.url));
  const otherId = await house.agent(other);
  const requests = send(`/api/v1/prediction/${hogId}`);
  await holding.begun();
  await pause(pauseMs);
  const { value, tookMs } = await timed(() =>
    house.visitor().send("POST", `/api/v1/prediction/${otherId}`, { question: "Hi" }),
  );
  const held = holding.count();
  leave?.();
  holding.letGo();
  await Promise.all(requests);
  return { answer: value, tookMs, held };
}
