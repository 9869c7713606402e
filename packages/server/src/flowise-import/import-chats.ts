// The features that own the tables declare the rows.
import type {} from "@weft/chats";
import type { Tables } from "@weft/database";
import type {} from "@weft/document-stores";
import type { FlowiseRow } from "@weft/flowise-source";
import { ifFound } from "@weft/http";
import { everything } from "@weft/http/identity";
import { isJsonObject, type Json, parseJson, ratingSchema, toMoment } from "@weft/schema";
import type { Needs } from "../feature.ts";
import {
  freshPagesOf,
  type ImportContext,
  idsHere,
  onlyFresh,
  pagesOf,
  unknownDate,
  writeOne,
  writeRows,
} from "./copy-rows.ts";
import * as columns from "./message-columns.ts";

/** Chats that predate owners: holders of keys with `chats:all`, accounts and their visitors can continue them. */
const owner = "";

const noAgent = "Its agent does not exist any more.";

/** Imports chats with their feedback and leads, and the history of upserts. */
export async function importChats(
  context: ImportContext,
  needs: Needs<"chats">,
  knownIds: ReadonlySet<string>,
): Promise<void> {
  await importMessages(context, needs, knownIds);
  await importFeedback(context);
  await importLeads(context, knownIds);
  await importHistory(context, knownIds);
}

type MessageRow = Tables["chatMessages"];

async function importMessages(
  context: ImportContext,
  needs: Needs<"chats">,
  knownIds: ReadonlySet<string>,
): Promise<void> {
  const dateOf = createMessageDates();
  for await (const { rows, tally } of pagesOf(context, "chat_message")) {
    // Messages that are already here claim their moments, too: the others come after them as before.
    const dates = new Map(rows.map((row) => [row.id, dateOf(row)]));
    const fresh = (await onlyFresh(context, rows, { into: "chatMessages", tally })).filter(({ id, chatflowid }) => {
      if (knownIds.has(chatflowid ?? "")) return true;
      tally.left(noAgent, id);
      return false;
    });
    const messages = fresh.map((row) => toMessage(row, dates.get(row.id) ?? unknownDate));
    await writeRows(context, { rows: messages, tally }, (tx, some) =>
      tx
        .insertInto("chatMessages")
        .values(some)
        .onConflict((conflict) => conflict.doNothing())
        .returning("id")
        .execute(),
    );
    const ofKnown = rows.filter(({ chatflowid }) => knownIds.has(chatflowid ?? ""));
    await importChatFiles(context, needs, ofKnown);
  }
}

function toMessage(row: FlowiseRow<"chat_message">, createdDate: string): MessageRow {
  const chatId = row.chatId ?? row.sessionId ?? row.id;
  return {
    id: row.id,
    role: row.role === "userMessage" ? "userMessage" : "apiMessage",
    chatflowid: row.chatflowid ?? "",
    content: row.content ?? "",
    sourceDocuments: columns.sourceDocuments(row.sourceDocuments),
    usedTools: columns.usedTools(row.usedTools),
    fileAnnotations: columns.fileAnnotations(row.fileAnnotations),
    agentReasoning: columns.agentReasoning(row.agentReasoning),
    fileUploads: columns.fileUploads(row.fileUploads),
    // Its question cannot be answered here: its run cannot continue.
    action: "[]",
    chatType: row.chatType === "INTERNAL" ? "INTERNAL" : "EXTERNAL",
    chatId,
    memoryType: row.memoryType ?? "",
    sessionId: row.sessionId || chatId,
    createdDate,
    leadEmail: row.leadEmail ?? "",
    executionId: row.executionId,
    owner,
    author: null,
  };
}

/**
 * Assigns moments to messages in order: within a session each is later than the one before it, so that the memory of a
 * conversation keeps a question before its answer.
 */
function createMessageDates() {
  const latest = new Map<string, string>();
  return ({ chatflowid, sessionId, chatId, createdDate }: FlowiseRow<"chat_message">): string => {
    const date = createdDate ?? unknownDate;
    if (latest.size > maxSessions) for (const [key, last] of latest) if (last < date) latest.delete(key);
    const session = JSON.stringify([chatflowid, sessionId || chatId]);
    const before = latest.get(session);
    const moment = before !== undefined && date <= before ? toMoment(Date.parse(before) + 1) : date;
    latest.set(session, moment);
    return moment;
  };
}

/** Limit of sessions whose last timestamp is remembered. */
const maxSessions = 1_000;

async function importFeedback(context: ImportContext): Promise<void> {
  for await (const { rows, tally } of freshPagesOf(context, "chat_message_feedback", "feedback")) {
    const messageIds = rows.flatMap(({ messageId }) => messageId ?? []);
    const messages = context.dryRun
      ? new Set(messageIds)
      : await idsHere(context.database.read, "chatMessages", messageIds);
    const feedback = rows.flatMap((row) => {
      const rating = ratingSchema.safeParse(row.rating);
      const { id, messageId } = row;
      if (!rating.success || messageId === null || !messages.has(messageId)) {
        tally.left(rating.success ? "Its message does not exist any more." : "It has no rating.", id);
        return [];
      }
      const place = { chatflowid: row.chatflowid ?? "", chatId: row.chatId ?? "", messageId };
      return [
        { id, ...place, rating: rating.data, createdDate: row.createdDate ?? unknownDate, content: row.content ?? "" },
      ];
    });
    await writeRows(context, { rows: feedback, tally }, (tx, some) =>
      tx
        .insertInto("feedback")
        .values(some)
        .onConflict((conflict) => conflict.doNothing())
        .returning("id")
        .execute(),
    );
  }
}

async function importLeads(context: ImportContext, knownIds: ReadonlySet<string>): Promise<void> {
  for await (const { rows, tally } of freshPagesOf(context, "lead", "leads")) {
    const leads = rows.flatMap((row) => {
      const { id, chatflowid } = row;
      if (chatflowid === null || !knownIds.has(chatflowid)) {
        tally.left(noAgent, id);
        return [];
      }
      const person = { name: row.name ?? "", email: row.email ?? "", phone: row.phone ?? "" };
      return [
        { id, chatflowid, chatId: row.chatId ?? id, ...person, createdDate: row.createdDate ?? unknownDate, owner },
      ];
    });
    await writeRows(context, { rows: leads, tally }, (tx, some) =>
      tx
        .insertInto("leads")
        .values(some)
        .onConflict((conflict) => conflict.doNothing())
        .returning("id")
        .execute(),
    );
  }
}

async function importHistory(context: ImportContext, knownIds: ReadonlySet<string>): Promise<void> {
  for await (const { rows, tally } of freshPagesOf(context, "upsert_history", "upsertHistory")) {
    const records = rows.flatMap((row) => {
      const { id, chatflowid } = row;
      if (chatflowid === null || !knownIds.has(chatflowid)) {
        tally.left("Its agent or document store does not exist any more.", id);
        return [];
      }
      const texts = { result: jsonText(row.result, {}), flowData: jsonText(row.flowData, []) };
      return [{ id, chatflowid, date: row.date ?? unknownDate, deletedDate: null, ...texts }];
    });
    await writeRows(context, { rows: records, tally }, (tx, some) =>
      tx
        .insertInto("upsertHistory")
        .values(some)
        .onConflict((conflict) => conflict.doNothing())
        .returning("id")
        .execute(),
    );
  }
}

function jsonText(text: string | null, otherwise: Json): string {
  return text !== null && parseJson(text) !== undefined ? text : JSON.stringify(otherwise);
}

/** A chat whose messages came with files, and the types that clients declared. */
type ChatWithFiles = { agentId: string; chatId: string; types: Map<string, string> };

/** Imports the files of these messages, so that their chats still show them. */
async function importChatFiles(
  context: ImportContext,
  { chats: { files } }: Needs<"chats">,
  messages: readonly FlowiseRow<"chat_message">[],
): Promise<void> {
  const tally = context.report.table("files of chats");
  for (const { agentId, chatId, types } of chatsWithFiles(messages)) {
    const chat = { agentId, chatId, reach: everything };
    for await (const { name, read } of context.source.files({ flow: agentId, chat: chatId })) {
      tally.read(1);
      if ((await ifFound(files.find(chat, name))) !== undefined) {
        tally.there(1);
        continue;
      }
      const file = { name, mimeType: types.get(name) ?? "application/octet-stream", bytes: await read() };
      await writeOne(context, { name, tally }, () => files.store({ agentId, chatId, owner: "" }, [file]));
    }
  }
}

function chatsWithFiles(messages: readonly FlowiseRow<"chat_message">[]): Iterable<ChatWithFiles> {
  const chats = new Map<string, ChatWithFiles>();
  for (const { chatflowid: agentId, chatId, fileUploads } of messages) {
    if (agentId === null || chatId === null || fileUploads === null || fileUploads === "[]") continue;
    const uploads = parseJson(fileUploads);
    const key = JSON.stringify([agentId, chatId]);
    const chat = chats.get(key) ?? { agentId, chatId, types: new Map<string, string>() };
    for (const upload of Array.isArray(uploads) ? uploads : []) {
      if (isJsonObject(upload)) chat.types.set(String(upload.name), String(upload.mime));
    }
    chats.set(key, chat);
  }
  return chats.values();
}
