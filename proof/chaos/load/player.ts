import { randomUUID } from "node:crypto";
import type { Client } from "../house/client.ts";
import type { Cluster } from "../house/cluster.ts";
import type { Facts } from "../house/facts.ts";
import type { Ledger } from "../house/ledger.ts";
import type { Random } from "../house/random.ts";
import type { Services } from "../house/services.ts";

/** What a player works with. `facts` are those of the present case, `ledger` is the whole campaign's. */
export type World = {
  cluster: Cluster;
  services: Services;
  random: Random;
  client: Client;
  facts: Facts;
  ledger: Ledger;
};

/** One kind of use, over and over. */
export type Player = {
  /** Does it once, and notes what the servers promised. Rejects when they leave it without an answer. */
  play(): Promise<void>;
  /** When everything is quiet: notes what is there of what was promised, and forgets it. */
  collect(): Promise<void>;
};

export type PlayerOptions = { name: string; weight: number; prepare(world: World): Promise<Player> };

/** Saves an agent; resolves with its id. */
export async function createAgent({ cluster }: World, name: string, flowData: string): Promise<string> {
  return (await cluster.call<{ id: string }>("POST", "/chatflows", { name, flowData })).id;
}

/** Notes a run that a server said it had accepted. `load`: who began it. */
export function noteRun({ facts, ledger }: World, load: string, id: string): void {
  facts.runs.push({ id, load, state: undefined });
  ledger.runs.add(id);
}

/** A message to an agent. `load`: who sends it; `what`: what it is called in a note of an odd answer. */
export type Message = { agentId: string; question: string; chatId: string; load: string; what: string };

/** Sends a message under a key of its own, and notes its run. Resolves as `expectOk` returns. */
export async function sendMessage<T>(world: World, { agentId, question, chatId, load, what }: Message) {
  const body = { question, chatId };
  const answer = await world.client.ask("POST", `/prediction/${agentId}`, body, { key: randomUUID() });
  const result = expectOk<T & { executionId: string }>(world, answer, what);
  if (result) noteRun(world, load, result.executionId);
  return result;
}

/** The JSON of an answer, or undefined with a note of what is odd about it. */
export function expectOk<T>({ facts }: World, answer: { status: number; text: string }, what: string): T | undefined {
  if (answer.status < 300) return JSON.parse(answer.text) as T;
  facts.odd.push(`${what}: ${describe(answer)}`);
  return undefined;
}

/** Whether a server without room, or without its database, says that it may be asked again. */
export function isForLater({ status, text }: { status: number; text: string }): boolean {
  return status === 503 || text.includes('"retryable":true');
}

/** What an answer says of a failure, and the id under which the log has it. */
export function describe({ status, text }: { status: number; text: string }): string {
  try {
    const { code, message, requestId } = JSON.parse(text) as Record<string, unknown>;
    return `${status} ${code}: ${message} (request ${requestId})`;
  } catch {
    return `${status} ${text.slice(0, 300)}`;
  }
}
