import { randomUUID } from "node:crypto";
import type { Database } from "@weft/database";
import { createResourceApi } from "../../../agents/src/testing/bench.ts";
import { createChatMessageService } from "../chat-messages/chat-message.service.ts";
import type { ChatTurn } from "../chat-messages/run-projection.ts";

/** The agent of the turns here, unless a test names another. */
export const agentId = "11111111-1111-4111-8111-111111111111";

/** The API with one message, and the fields that rate it. The test moves the clock. */
export async function openWithMessage(database: Database) {
  const api = openApi(database);
  const messageId = await api.recordTurn({ agentId, chatId: "c1" });
  const fields = { chatflowid: agentId, chatId: "c1", messageId, rating: "THUMBS_UP" };
  const listed = async () => (await api.call("GET", `/feedback/${agentId}`)).body;
  return { ...api, messageId, fields, listed };
}

/** The API with one agent. The test moves the clock. */
export async function openWithAgent(database: Database) {
  const api = openApi(database);
  const { body } = await api.call("POST", "/chatflows", { name: "Agent", flowData: "{}" });
  const chatflowid: string = body.id;
  const list = (query = "") => api.call("GET", `/leads/${chatflowid}${query}`);
  return { ...api, chatflowid, list };
}

function openApi(database: Database) {
  const clock = { nowMs: Date.now(), now: () => clock.nowMs };
  return { ...createResourceApi(database, clock), clock };
}

/** The moment at which the clock of `openMessages` stands. */
export const noon = Date.parse("2026-01-01T12:00:00.000Z");

/** The service of messages alone, on a clock that the test moves. */
export function openMessages(database: Database) {
  const clock = { nowMs: noon, now: () => clock.nowMs };
  const service = createChatMessageService({ database, clock });
  const record = (turn: ChatTurn) => database.write((tx) => tx.executeQuery(service.turnStatement(turn)));
  return { clock, service, record };
}

/** A question and its answer, which is the question with an exclamation mark. */
export function turnOf(question: string, overrides: Partial<ChatTurn> = {}): ChatTurn {
  return {
    agentId,
    owner: "client:a",
    chatId: "chat",
    sessionId: "session",
    chatType: "EXTERNAL",
    askedAt: noon,
    user: { id: randomUUID(), content: question },
    api: { id: randomUUID(), content: `${question}!` },
    ...overrides,
  };
}
