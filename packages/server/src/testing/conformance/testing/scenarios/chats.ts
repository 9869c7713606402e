import { randomUUID } from "node:crypto";
import { ownerOf } from "@weft/http/identity";
import { llmFlow } from "../../../test-platform.ts";
import type { Scenarios, Special } from "../scenario.ts";
import type { Parts, World } from "../world.ts";
import { badOrder, malformedId } from "./lists.ts";
import * as strangePage from "./strange-page.ts";

async function question(world: World): Promise<Parts> {
  return { params: { id: await world.agent() }, body: { question: `Hello ${world.next()}` } };
}

/** A question to the path while the model fails. */
function failingModel(path: string): Special {
  return {
    how: "a model that fails",
    async request(world) {
      const { params, body } = await question(world);
      world.model.fails = true;
      const answer = await world.platform.send("POST", `${path}/${params?.id}`, body);
      world.model.fails = false;
      return answer;
    },
  };
}

async function ofAnsweredAgent(world: World): Promise<Parts> {
  return { params: { id: (await world.turn()).agentId } };
}

async function ofExecution(world: World): Promise<Parts> {
  const { executionId } = await world.turn();
  return { params: { id: executionId, executionId } };
}

/** A run that a visitor may have started, so that visitors may follow it as well. */
async function ofVisitorsExecution(world: World): Promise<Parts> {
  const { executionId } = await world.turn();
  const visited = { owner: ownerOf(undefined), chatType: "EXTERNAL" } as const;
  await world.store.database.write((tx) => tx.updateTable("runs").set(visited).where("id", "=", executionId).execute());
  return { params: { executionId } };
}

/** The conversation of a turn. */
async function conversationOf(world: World): Promise<string> {
  const { agentId } = await world.turn();
  const response = await world.platform.send("GET", `/conversations?agentId=${agentId}`);
  const { data } = (await response.json()) as { data: { id: string }[] };
  return data[0]?.id ?? "";
}

async function ofConversation(world: World): Promise<Parts> {
  return { params: { id: await conversationOf(world) }, body: {} };
}

const unknownConversation = {
  how: "an id that names none",
  request: (): Parts => ({ params: { id: "none" }, body: { text: "Hello" } }),
};

/** A conversation that this request's sender has taken over. */
async function ofTakenConversation(world: World): Promise<Parts> {
  const id = await conversationOf(world);
  await world.platform.json("PUT", `/conversations/${id}/take-over`, {});
  return { params: { id }, body: { text: "Hello" } };
}

/** A conversation that someone else has taken over. */
const othersConversation = {
  how: "a conversation that someone else answers",
  async request(world: World): Promise<Parts> {
    const id = await conversationOf(world);
    const authorization = `Bearer ${await world.keyWith("chats:write")}`;
    await world.platform.send("PUT", `/conversations/${id}/take-over`, {}, { authorization });
    return { params: { id }, body: { text: "Hello" } };
  },
};

/** What chat clients ask about an agent. */
const ofAgent = { valid: async (world: World): Promise<Parts> => ({ params: { id: await world.agent() } }) };

export const chatScenarios: Scenarios = {
  getStreamingInfo: {
    ...ofAgent,
    special: {
      403: {
        how: strangePage.how,
        async request(world) {
          const { chatbotConfig, headers } = strangePage;
          const { id } = await world.create("createAgent", { chatbotConfig });
          return { params: { id }, headers };
        },
      },
    },
  },
  getUploadInfo: ofAgent,
  getChatConfig: ofAgent,
  getPublicAgent: ofAgent,
  createPrediction: {
    valid: question,
    special: { 500: failingModel("/prediction") },
    also: [
      {
        status: 200,
        how: "a question whose answer is streamed",
        request: async (world) => ({ params: { id: await world.agent() }, body: { question: "Hi", streaming: true } }),
      },
      {
        status: 200,
        how: "a question to an assistant",
        async request(world) {
          const { id } = await world.create("createAssistant", { details: { name: "Helper" } });
          return { params: { id }, body: { question: "Hi" } };
        },
      },
      {
        status: 401,
        how: "another key than the agent's own",
        async request(world) {
          const own = await world.create("createApiKey");
          const agent = await world.create("createAgent", { apikeyid: own.id, flowData: llmFlow() });
          const token = await world.keyWith("predictions:run");
          return { params: { id: agent.id }, body: { question: "Hi" }, token };
        },
      },
      {
        status: 422,
        how: "neither a question, a form nor an answer of a human",
        request: async (world) => ({ params: { id: await world.agent() }, body: { chatId: "chat" } }),
      },
      {
        status: 500,
        how: "a flow that cannot run",
        async request(world) {
          const { id } = await world.create("createAgent", { flowData: "{}" });
          return { params: { id }, body: { question: "Hi" } };
        },
      },
    ],
  },
  createInternalPrediction: { valid: question, special: { 500: failingModel("/internal-prediction") } },
  abortChatMessage: {
    valid: async (world) => ({ params: { agentId: await world.agent(), chatId: "chat" } }),
  },
  listChatReplies: {
    valid: async (world) => ({ params: { agentId: await world.agent(), chatId: "chat" } }),
  },
  listConversations: { valid: () => ({}) },
  getConversation: { valid: ofConversation, special: { 404: unknownConversation } },
  updateConversation: { valid: ofConversation, special: { 404: unknownConversation } },
  takeOverConversation: { valid: ofConversation, special: { 404: unknownConversation, 409: othersConversation } },
  handBackConversation: { valid: ofConversation, special: { 404: unknownConversation } },
  declineHandOver: { valid: ofConversation, special: { 404: unknownConversation } },
  replyToConversation: { valid: ofTakenConversation, special: { 404: unknownConversation, 409: othersConversation } },
  getExecution: { valid: ofExecution },
  streamExecution: { valid: ofVisitorsExecution },
  listChatMessages: { valid: ofAnsweredAgent, special: { 400: badOrder }, also: [malformedId] },
  listInternalChatMessages: { valid: ofAnsweredAgent, special: { 400: badOrder } },
  getChatStats: {
    valid: ofAnsweredAgent,
    special: {
      400: {
        how: "a date that is none",
        request: () => ({ params: { id: randomUUID() }, query: { startDate: "yesterday" } }),
      },
    },
  },
  deleteChatMessages: { valid: ofAnsweredAgent },
};
