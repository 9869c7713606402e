import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Agent,
  type ChatMessage,
  type Client,
  createClient,
  type PredictionFrame,
  type UsedTool,
} from "./index.ts";

/** Whether two types are one. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** What the compiler is asked: each line that does not hold is an error of `tsc`. */
function assertTypes(client: Client) {
  const holds = <T extends true>(value?: T) => value;
  const page = () => client.listAgents({ page: 1, limit: 10, type: "CHATFLOW" });
  const list = () => client.listChatMessages({ id: "a", order: "ASC" });
  holds<Same<ReturnType<Client["getAgent"]>, Promise<Agent>>>();
  holds<Same<ReturnType<Client["deleteAgent"]>, Promise<void>>>();
  holds<Same<ReturnType<Client["ping"]>, Promise<string>>>();
  holds<Same<Awaited<ReturnType<typeof page>>, { data: Agent[]; total: number }>>();
  holds<Same<Awaited<ReturnType<typeof list>>, ChatMessage[]>>();
  holds<Same<ReturnType<Client["streamPrediction"]>, AsyncIterable<PredictionFrame>>>();
  return [
    async () => {
      for await (const { event, data } of client.streamPrediction("a", { question: "Hi" })) {
        if (event === "token") holds<Same<typeof data, string>>();
        if (event === "usedTools") holds<Same<typeof data, UsedTool[]>>();
      }
    },
    // @ts-expect-error an id is needed
    () => client.getAgent({}),
    // @ts-expect-error a body is needed
    () => client.createAgent(),
    // @ts-expect-error the body lacks its flow
    () => client.createAgent({ name: "a" }),
    // @ts-expect-error there is no such type
    () => client.listAgents({ type: "ROBOT" }),
    // @ts-expect-error a page without a limit
    () => client.listAgents({ page: 1 }),
    // @ts-expect-error nothing changes under a key here
    () => client.getAgent({ id: "a" }, { idempotencyKey: "a" }),
    () => client.createAgent({ name: "a", flowData: "{}" }, { idempotencyKey: "a" }),
    () => client.updateAgent({ id: "a" }, { name: "a" }, { ifMatch: '"a"' }),
  ];
}

test("the types are those of the document", () => {
  assert.equal(assertTypes(createClient({ baseUrl: "http://localhost" })).length, 9);
});
