import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Frame } from "../../../packages/http/src/answer/event-stream.ts";
import { openReader, readFrames } from "../../../packages/server/src/predictions/testing/stream-client.ts";
import { story } from "../house/services.ts";
import { createAgent, describe, isForLater, noteRun, type PlayerOptions, type World } from "./player.ts";

const flow = JSON.stringify({
  weft: 1,
  nodes: [
    { id: "start_0", type: "start" },
    { id: "first_0", type: "llm", config: { prompt: "Tell one", memory: { type: "off" } } },
    { id: "second_0", type: "llm", config: { prompt: "Tell another", memory: { type: "off" } } },
  ],
  edges: [
    { id: "a", source: "start_0", target: "first_0" },
    { id: "b", source: "first_0", target: "second_0" },
  ],
});

/** Ends that a reader causes itself are not failures of the server. */
const giveUpAt = 300;
/** A connection that stands still belongs to a server that does. */
const connectionMs = 8_000;
const cutsAfterwards = 6;

/** Streams that are cut off and resumed, and read again from cuts when they are over. */
export const streams: PlayerOptions = {
  name: "streams",
  weight: 3,
  async prepare(world) {
    const agentId = await createAgent(world, "Tells", flow);
    return {
      async play() {
        const { facts } = world;
        const { frames, reconnects } = await readThroughCuts(world, agentId);
        const runId = runOf(frames);
        if (runId === "") return void facts.odd.push("A stream gave nothing at all.");
        noteRun(world, "streams", runId);
        facts.streams.push({ runId, reconnects, problem: await findProblem(world, frames) });
      },
      collect: async () => undefined,
    };
  },
};

const runOf = (frames: readonly Frame[]) => frames[0]?.id.split(":")[0] ?? "";
const isOver = (frames: readonly Frame[]) => frames.at(-1)?.event === "end";

async function readThroughCuts(world: World, agentId: string): Promise<{ frames: Frame[]; reconnects: number }> {
  const { client, random, facts } = world;
  const [key, chatId] = [randomUUID(), randomUUID()];
  const begin = { question: "Tell", chatId, streaming: true };
  let frames: Frame[] = [];
  let reconnects = 0;
  while (!isOver(frames) && reconnects < giveUpAt) {
    const isCut = random.next() < 0.6;
    const read = await connect(
      world,
      { agentId, begin, key, last: frames.at(-1) },
      isCut ? random.between(1, 30) : undefined,
    );
    if (typeof read === "string") {
      facts.odd.push(read);
      break;
    }
    frames = [...frames, ...read];
    if (!isCut && !isOver(frames)) reconnects += 1;
    if (read.length === 0) await client.pause(200);
  }
  return { frames, reconnects };
}

type Connection = { agentId: string; begin: object; key: string; last: Frame | undefined };

/** Frames of one connection: all of them, or some until the client goes away. A text says what is odd. */
async function connect(
  world: World,
  { agentId, begin, key, last }: Connection,
  count: number | undefined,
): Promise<Frame[] | string> {
  const { client } = world;
  const signal = AbortSignal.timeout(connectionMs);
  const url = client.anyUrl();
  try {
    const response =
      last === undefined
        ? await client.attempt({ url, method: "POST", path: `/prediction/${agentId}`, body: begin, key, signal })
        : await openEvents(world, runOf([last]), { last, signal, url });
    if (!response.ok) {
      const answer = { status: response.status, text: await response.text() };
      const isLater = [409, 429].includes(answer.status) || isForLater(answer);
      return isLater ? [] : `A stream after ${last?.id}: ${describe(answer)}`;
    }
    const reader = openReader(response);
    const frames = await reader.read((read) => count !== undefined && read.length >= count);
    await reader.cut().catch(() => undefined);
    return count === undefined ? frames : frames.slice(0, count);
  } catch {
    return [];
  }
}

/** Compares what was read in pieces with the whole, and with what follows some of its frames. */
async function findProblem(world: World, frames: readonly Frame[]): Promise<string | undefined> {
  if (!isOver(frames)) return `it has no end after ${frames.length} frames, the last is ${frames.at(-1)?.event}`;
  const runId = runOf(frames);
  const again = async (last?: Frame) => {
    for (;;) {
      const rest = await readAgain(world, runId, last);
      if (rest !== undefined) return rest;
    }
  };
  const whole = await again();
  const expected = readFrames(whole);
  const inPieces = readFrames(frames);
  if (!isDeepStrictEqual(inPieces, expected)) return `read in pieces it differs: ${difference(inPieces, expected)}`;
  if (expected.text !== story) return `its text is ${JSON.stringify(expected.text)}`;
  for (let cut = 0; cut < cutsAfterwards; cut += 1) {
    const index = world.random.between(0, whole.length - 2);
    const rest = await again(whole[index]);
    const both = readFrames([...whole.slice(0, index + 1), ...rest]);
    if (!isDeepStrictEqual(both, expected)) return `after its frame ${whole[index]?.id} follows something else`;
  }
  return undefined;
}

/** The first part in which they differ, as it is in each. */
function difference(one: object, other: object): string {
  const parts = Object.keys(other) as (keyof typeof other)[];
  const part = parts.find((name) => !isDeepStrictEqual(one[name], other[name]));
  return part === undefined ? "in its parts" : `${part}: ${toShort(one[part])} and ${toShort(other[part])}`;
}

const toShort = (value: unknown) => JSON.stringify(value)?.slice(0, 600);

async function readAgain(world: World, runId: string, last: Frame | undefined): Promise<Frame[] | undefined> {
  const { client } = world;
  try {
    const signal = AbortSignal.timeout(connectionMs);
    const response = await openEvents(world, runId, { last, signal, url: client.anyUrl() });
    const frames = response.ok ? await openReader(response).read() : [];
    if (isOver(frames)) return frames;
  } catch {
    // No server there at this moment.
  }
  await client.pause(200);
  return undefined;
}

type Opening = { last: Frame | undefined; signal: AbortSignal; url: string };

/** Asks a server for the events of a run: those after the last frame, or all of them. */
function openEvents({ cluster }: World, runId: string, { last, signal, url }: Opening): Promise<Response> {
  return fetch(`${url}/executions/${runId}/events`, {
    signal,
    headers: { authorization: `Bearer ${cluster.token}`, ...(last && { "last-event-id": last.id }) },
  });
}
