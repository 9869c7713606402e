import { hash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { Database, Tables } from "@weft/database";
import { isJsonObject, type Json, type JsonObject, type RunEvent, type RunEventOf, toJsonObject } from "@weft/schema";
import { type Kysely, sql } from "kysely";
import type { ChatOfRun } from "../run-tables.ts";
import { isLongerThan, pack, unpack } from "./event-row.ts";
import { lockSession } from "./session-turns.ts";

// Prompts repeat what was said before in their chat. A long one is journalled as the numbers of its messages, each of which
// is kept once for the chat, so a chat takes space in proportion to what is said in it.
//
// 1. Messages of a chat have numbers in the order in which they were first told: those of a prompt are a few ranges.
// 2. Messages are written before the event that names them. Those that no event names after a crash are named by the next.
// 3. They go with the last run of their chat; long ones also when that ended as long ago as `PAYLOAD_RETENTION` says.
// 4. An event from before holds its messages themselves, and so does one whose messages are short.

type PromptDatabase = Database;
type PromptEvent = RunEvent & RunEventOf<"effect-started"> & { input: JsonObject };
type Range = [from: number, to: number];

/** Prompts up to this length stay in their events: fewer reads, and the repetition is bounded. */
const minCharacters = 8_000;
/** Characters processed before yielding the thread. */
const charactersAtOnce = 1_000_000;
const rowsAtOnce = 100;

/** The events as stored. `chat` is called only if one of them is a long prompt. */
export async function keepPrompts(
  database: PromptDatabase,
  events: readonly RunEvent[],
  findChat: () => ChatOfRun | undefined | Promise<ChatOfRun | undefined>,
): Promise<readonly RunEvent[]> {
  if (!events.some(isLongPrompt)) return events;
  const found = await findChat();
  if (found === undefined) return events;
  const { agentId, chatId, owner } = found;
  const chat = { agentId, chatId, owner };
  const kept: RunEvent[] = [];
  for (const event of events) kept.push(isLongPrompt(event) ? await keepPrompt(database, event, chat) : event);
  return kept;
}

/** The events as recorded. A message that was removed since says so. */
export async function restorePrompts(
  read: Kysely<Tables>,
  runId: string,
  events: readonly RunEvent[],
): Promise<RunEvent[]> {
  const ranges = events.flatMap((event) => rangesOf(event) ?? []);
  if (ranges.length === 0) return [...events];
  const run = await read.selectFrom("runs").select(chatColumns).where("id", "=", runId).executeTakeFirst();
  const messages = run === undefined ? new Map<number, Json>() : await readMessages(read, run, ranges);
  return events.map((event) => {
    const own = rangesOf(event);
    if (own === undefined || !isPrompt(event)) return event;
    const told = own.flatMap(([from, to]) =>
      Array.from({ length: to - from + 1 }, (_, index) => messages.get(from + index) ?? removed),
    );
    return { ...event, input: { ...toJsonObject(event.input), messages: told } };
  });
}

/** For the transaction that deletes runs: removes the messages of their chats with the last of them. */
export async function removePartsOf(tx: Kysely<Tables>, chats: readonly ChatOfRun[]): Promise<void> {
  const distinct = new Map(chats.map((chat) => [JSON.stringify([chat.agentId, chat.chatId, chat.owner]), chat]));
  for (const { agentId, chatId, owner } of distinct.values()) {
    await tx
      .deleteFrom("promptParts")
      .where("agentId", "=", agentId)
      .where("chatId", "=", chatId)
      .where("owner", "=", owner)
      .where(({ not, exists, selectFrom }) => not(exists(selectFrom("runs").select("id").where(isOfPart))))
      .execute();
  }
}

/** Removes long messages of these runs' chats in which nothing happened since a moment. */
export async function removeLongParts(
  tx: Kysely<Tables>,
  runIds: readonly string[],
  { before, bytes }: { before: string; bytes: number },
): Promise<void> {
  if (runIds.length === 0) return;
  await tx
    .deleteFrom("promptParts")
    .where(({ exists, selectFrom }) =>
      exists(selectFrom("runs").select("id").where("id", "in", runIds).where(isOfPart)),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("runs").select("id").where(isOfPart).where("updatedDate", ">=", before))),
    )
    .where(isLongerThan(bytes, "message"))
    .execute();
}

const isOfPart = sql<boolean>`"runs"."agentId" = "promptParts"."agentId" and "runs"."chatId" = "promptParts"."chatId"
  and "runs"."owner" = "promptParts"."owner"`;
const chatColumns = ["agentId", "chatId", "owner"] as const;
const removed: Json = { role: "removed", content: "This message was removed when its time was over." };

function isPrompt(event: RunEvent): event is PromptEvent {
  return event.type === "effect-started" && event.category === "model" && isJsonObject(event.input);
}

function isLongPrompt(event: RunEvent): event is PromptEvent {
  if (!isPrompt(event) || !Array.isArray(event.input.messages)) return false;
  let left = minCharacters;
  return event.input.messages.some((message) => {
    left -= JSON.stringify(message).length;
    return left < 0;
  });
}

function rangesOf(event: RunEvent): Range[] | undefined {
  if (!isPrompt(event) || !isJsonObject(event.input.messages)) return undefined;
  const { parts } = event.input.messages;
  if (!Array.isArray(parts)) return undefined;
  return parts.flatMap((range): Range[] => {
    const [from, to] = Array.isArray(range) ? range : [];
    return typeof from === "number" && typeof to === "number" && to - from < maxRange ? [[from, to]] : [];
  });
}

/** No prompt has more messages. */
const maxRange = 100_000;

async function keepPrompt(database: PromptDatabase, event: PromptEvent, chat: ChatOfRun): Promise<RunEvent> {
  const { messages } = event.input;
  const numbers = await numbersOf(database, chat, Array.isArray(messages) ? messages : []);
  return { ...event, input: { ...toJsonObject(event.input), messages: { parts: toRanges(numbers) } } };
}

/** The numbers of these messages, including new ones. */
async function numbersOf(
  database: PromptDatabase,
  chat: ChatOfRun,
  messages: readonly Json[],
): Promise<readonly number[]> {
  const hashes: string[] = [];
  const byHash = new Map<string, string>();
  let characters = 0;
  for (const message of messages) {
    const text = JSON.stringify(message);
    const one = hash("sha256", text, "base64url");
    hashes.push(one);
    byHash.set(one, text);
    characters += text.length;
    if (characters > charactersAtOnce) await setImmediate();
    characters %= charactersAtOnce;
  }
  let known = await readNumbers(database.read, chat);
  if (hashes.some((one) => !known.has(one))) {
    known = await database.write((tx) => addParts(database.dialect, tx, { chat, byHash }), {
      isolation: "read-committed",
    });
  }
  return hashes.map((one) => known.get(one) ?? 0);
}

/** One at a time per chat, so that the next number is not taken twice. */
async function addParts(
  dialect: Database["dialect"],
  tx: Kysely<Tables>,
  { chat, byHash }: { chat: ChatOfRun; byHash: ReadonlyMap<string, string> },
): Promise<Map<string, number>> {
  await lockSession(dialect, tx, `prompts ${chat.agentId} ${chat.owner} ${chat.chatId}`);
  const known = await readNumbers(tx, chat);
  const last = Math.max(0, ...known.values());
  const missing = [...byHash].filter(([one]) => !known.has(one));
  const rows = missing.map(([one, text], index) => ({ ...chat, no: last + 1 + index, hash: one, message: pack(text) }));
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    await tx
      .insertInto("promptParts")
      .values(rows.slice(from, from + rowsAtOnce))
      .execute();
  }
  for (const { hash: one, no } of rows) known.set(one, no);
  return known;
}

async function readNumbers(read: Kysely<Tables>, { agentId, chatId, owner }: ChatOfRun): Promise<Map<string, number>> {
  const rows = await read
    .selectFrom("promptParts")
    .select(["hash", "no"])
    .where("agentId", "=", agentId)
    .where("chatId", "=", chatId)
    .where("owner", "=", owner)
    .execute();
  return new Map(rows.map((row) => [row.hash, Number(row.no)]));
}

async function readMessages(
  read: Kysely<Tables>,
  { agentId, chatId, owner }: ChatOfRun,
  ranges: readonly Range[],
): Promise<Map<number, Json>> {
  const rows = await read
    .selectFrom("promptParts")
    .select(["no", "message"])
    .where("agentId", "=", agentId)
    .where("chatId", "=", chatId)
    .where("owner", "=", owner)
    .where("no", ">=", Math.min(...ranges.map(([from]) => from)))
    .where("no", "<=", Math.max(...ranges.map(([, to]) => to)))
    .execute();
  return new Map(rows.map(({ no, message }) => [Number(no), JSON.parse(unpack(message))]));
}

function toRanges(numbers: readonly number[]): Range[] {
  const ranges: Range[] = [];
  for (const no of numbers) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] + 1 === no) last[1] = no;
    else ranges.push([no, no]);
  }
  return ranges;
}
