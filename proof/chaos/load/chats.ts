import { randomUUID } from "node:crypto";
import { llmFlow } from "../../../packages/server/src/testing/test-platform.ts";
import { createAgent, type PlayerOptions, sendMessage } from "./player.ts";

type Message = { role: string; content: string };

const sessionsAtOnce = 5;
const messagesOfSession = 12;

/** Conversations whose model answers with the number of questions that it has seen: order and blindness show. */
export const chats: PlayerOptions = {
  name: "chats",
  weight: 5,
  async prepare(world) {
    const agentId = await createAgent(world, "Counts", llmFlow());
    let sessions: { chatId: string; asked: number }[] = [];

    function openSession() {
      const open = sessions.filter(({ asked }) => asked < messagesOfSession);
      if (open.length >= sessionsAtOnce) return world.random.pick(open);
      const session = { chatId: randomUUID(), asked: 0 };
      sessions.push(session);
      return session;
    }

    return {
      async play() {
        const session = openSession();
        session.asked += 1;
        const question = `Next ${session.asked}`;
        await sendMessage(world, { agentId, question, chatId: session.chatId, load: "chats", what: "A message" });
      },
      async collect() {
        for (const { chatId, asked } of sessions) {
          const messages = await world.cluster.call<Message[]>(
            "GET",
            `/chatmessage/${agentId}?chatId=${chatId}&order=ASC`,
          );
          const answers = messages.filter(({ role }) => role === "apiMessage").map(({ content }) => content);
          world.facts.sessions.push({ chatId, asked, answers });
        }
        sessions = [];
      },
    };
  },
};
