import type { FlowiseRow } from "@weft/flowise-source";
import { ifFound } from "@weft/http";
import { everything } from "@weft/http/identity";
import { isJsonObject, parseJson } from "@weft/schema";
import type { Needs } from "../feature.ts";
import { type ImportContext, writeOne } from "./copy-rows.ts";

/** A chat whose messages came with files, and the types that clients declared. */
type ChatWithFiles = { agentId: string; chatId: string; types: Map<string, string> };

/** Imports the files of these messages, so that their chats still show them. */
export async function importChatFiles(
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
