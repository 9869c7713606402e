import { randomUUID } from "node:crypto";
import { ownerOf } from "@weft/http/identity";
import type { Scenarios, Special } from "../scenario.ts";
import { bodyLimitBytes } from "../status-producers.ts";
import type { Parts, World } from "../world.ts";
import { badOrder, malformedId } from "./lists.ts";

/** On a message of a visitor's chat, so that visitors may send it as well. */
async function rating(world: World) {
  const { agentId, chatId, chatMessageId } = await world.turn();
  const owner = ownerOf(undefined);
  await world.store.database.write((tx) =>
    tx.updateTable("chatMessages").set({ owner }).where("id", "=", chatMessageId).execute(),
  );
  return { chatflowid: agentId, chatId, messageId: chatMessageId, rating: "THUMBS_UP" };
}

async function ratedMessage(world: World): Promise<{ id: string; chatflowid: string }> {
  return world.platform.json("POST", "/feedback", await rating(world));
}

async function lead(world: World): Promise<Parts> {
  return { body: { chatflowid: await world.agent(), name: `Ada ${world.next()}`, email: "ada@example.com" } };
}

const spoken = { chatId: randomUUID(), chatMessageId: randomUUID() };

/** A text, and an agent that reads its answers aloud. */
async function speech(world: World): Promise<Parts> {
  const plainDataObj = { apiKey: "sk-voice", baseUrl: world.voiceUrl };
  const credential = await world.create("createCredential", { credentialName: "openai", plainDataObj });
  const chatbotConfig = JSON.stringify({ textToSpeech: { openai: { status: true, credentialId: credential.id } } });
  const { id: chatflowId } = await world.create("createAgent", { chatbotConfig, isPublic: true });
  return { body: { ...spoken, chatflowId, text: "Hello" } };
}

const tooLarge = `"${"x".repeat(bodyLimitBytes)}"`;

/** No `Request` can be a GET with a body: it comes beside it, as from a socket. */
function getWithBody({ platform }: World, path: string, text: string): Promise<Response> {
  const body = new Response(text).body ?? undefined;
  const headers = { authorization: `Bearer ${platform.token}`, "content-type": "application/json" };
  return platform.fetch(new Request(`http://platform/api/v1${path}`, { headers }), { bodyOfGet: body });
}

async function attachment(world: World): Promise<Parts> {
  const body = new FormData();
  body.append("files", new Blob(["Hello"], { type: "text/plain" }), `note-${world.next()}.txt`);
  return { params: { chatflowId: await world.agent(), chatId: "chat" }, body };
}

async function attachedFile(world: World): Promise<Parts> {
  const { params = {}, body } = await attachment(world);
  const { chatflowId = "", chatId = "" } = params;
  const [file] = await world.platform.client.createAttachments({ chatflowId, chatId }, body as FormData);
  return { query: { chatflowId, chatId, fileName: file?.name ?? "" } };
}

/** Id of an agent, and of a record in its upsert history. */
async function upsert(world: World): Promise<{ agentId: string; id: string }> {
  const agentId = await world.agent();
  const id = randomUUID();
  const date = new Date().toISOString();
  const record = { id, chatflowid: agentId, date, deletedDate: null, result: "{}", flowData: "{}" };
  await world.store.database.write((tx) => tx.insertInto("upsertHistory").values(record).execute());
  return { agentId, id };
}

const unknownMessage: Special = {
  how: "a message that there is not",
  request: () => ({ params: { id: randomUUID() }, body: { messageId: randomUUID(), rating: "THUMBS_UP" } }),
};

export const visitorScenarios: Scenarios = {
  createFeedback: {
    valid: async (world) => ({ body: await rating(world) }),
    special: { 404: unknownMessage },
  },
  createFeedbackWithId: {
    valid: async (world) => ({ params: { id: randomUUID() }, body: await rating(world) }),
    special: { 404: unknownMessage },
  },
  createFeedbackByGet: {
    valid: async (world) => ({ query: await rating(world) }),
    special: {
      400: { how: "a rating without a message", request: () => ({ query: { rating: "THUMBS_UP" } }) },
      413: { how: "a body above the limit", request: (world) => getWithBody(world, "/feedback", tooLarge) },
    },
    also: [
      {
        status: 200,
        how: "the fields as a JSON body",
        request: async (world) => getWithBody(world, "/feedback", JSON.stringify(await rating(world))),
      },
    ],
  },
  listFeedback: {
    valid: async (world) => ({ params: { id: (await ratedMessage(world)).chatflowid } }),
    special: {
      400: badOrder,
      413: {
        how: "a body above the limit",
        request: (world) => getWithBody(world, `/feedback/${randomUUID()}`, tooLarge),
      },
      429: {
        how: "feedback on messages of a public agent without credentials, beyond its limit",
        async request(world, operation) {
          const strict = await world.openStrict();
          const query = await rating(strict);
          const rate = () => strict.send(operation, { params: { id: randomUUID() }, query }, { token: null });
          const first = await rate();
          return first.status === 429 ? first : rate();
        },
      },
    },
    also: [malformedId],
  },
  updateFeedback: {
    valid: async (world) => ({ params: { id: (await ratedMessage(world)).id }, body: { content: "Thank you" } }),
  },
  createAttachments: {
    valid: attachment,
    special: {
      422: {
        how: "a form without files",
        async request(world) {
          const body = new FormData();
          body.append("base64", "true");
          return { ...(await attachment(world)), body };
        },
      },
    },
  },
  getUploadFile: {
    valid: attachedFile,
    special: {
      400: { how: "a query without a name", request: () => ({ query: { chatflowId: randomUUID(), chatId: "chat" } }) },
      404: {
        how: "a name that no file has",
        request: () => ({ query: { chatflowId: randomUUID(), chatId: "chat", fileName: "none.txt" } }),
      },
    },
  },
  createLead: { valid: lead },
  deleteLead: {
    async valid(world) {
      const { id } = await world.platform.json<{ id: string }>("POST", "/leads", (await lead(world)).body);
      return { params: { id } };
    },
  },
  readAloud: {
    valid: speech,
    special: {
      400: {
        how: "an agent that reads nothing aloud",
        request: async (world) => ({ body: { ...spoken, chatflowId: await world.agent(), text: "Hello" } }),
      },
      404: { how: "an unknown agent", request: () => ({ body: { ...spoken, chatflowId: randomUUID(), text: "Hi" } }) },
    },
  },
  stopReadingAloud: {
    valid: async (world) => ({ body: { ...spoken, chatflowId: await world.agent() } }),
    isWithoutStore: true,
  },
  listVoices: {
    valid: () => ({ query: { provider: "openai" } }),
    isWithoutStore: true,
    special: {
      400: { how: "a service that is not known", request: () => ({ query: { provider: "nobody" } }) },
      404: {
        how: "an unknown credential",
        request: () => ({ query: { provider: "elevenlabs", credentialId: randomUUID() } }),
      },
    },
  },
  listLeads: {
    async valid(world) {
      const { body } = await lead(world);
      const { chatflowid } = await world.platform.json<{ chatflowid: string }>("POST", "/leads", body);
      return { params: { id: chatflowid } };
    },
  },
  listUpsertHistory: {
    valid: async (world) => ({ params: { id: (await upsert(world)).agentId } }),
    special: { 400: badOrder },
    also: [malformedId],
  },
  deleteUpsertHistory: {
    valid: async (world) => ({ body: { ids: [(await upsert(world)).id] } }),
    special: { 404: { how: "ids that no record has", request: () => ({ body: { ids: [randomUUID()] } }) } },
  },
  deleteUpsertHistoryOfAgent: {
    async valid(world) {
      const { agentId, id } = await upsert(world);
      return { params: { id: agentId }, body: { ids: [id] } };
    },
  },
};
