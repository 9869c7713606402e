import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type Attack, defineAttack } from "../house/define-attack.ts";
import { answerMcp } from "../house/mcp-service.ts";
import type { FlowSketch, House } from "../house/open-house.ts";
import { agentFlow, callsOnce, functionFlow, httpFlow } from "../house/sketches.ts";
import { openSqliteShop, sqliteEnv } from "../house/sqlite-shop.ts";

/** A flow that deletes once it is asked, and how much of what it could delete is gone. */
type Deletion = { flow: FlowSketch; deleted(): number };
type Way = { name: string; env?: Readonly<Record<string, string>>; open(house: House): Promise<Deletion> };

/** A service that counts the deletions it was asked for. */
async function shopOf(house: House, toFlow: (url: string) => FlowSketch | Promise<FlowSketch>): Promise<Deletion> {
  const shop = await house.shop();
  const deleted = () => shop.received.filter(({ method }) => method === "DELETE").length;
  return { flow: await toFlow(`${shop.url}/orders/1`), deleted };
}

/** The visitor's words choose what is deleted: a request that an author wrote out is the author's own. */
const deletionAt = (url: string) => ({ method: "DELETE", url: `${url}/{{ question }}` });

const operation = (url: string) => `openapi: 3.0.0
info: { title: Shop, version: "1" }
servers: [{ url: "${new URL(url).origin}" }]
paths: { /orders/1: { delete: { operationId: cancel_order, summary: Cancels, responses: { "200": { description: ok } } } } }`;

const statements = {
  DELETE: "DELETE FROM orders WHERE id = 1",
  UPDATE: "UPDATE orders SET total = 0",
  "DROP TABLE": "DROP TABLE orders",
  REPLACE: "REPLACE INTO orders VALUES (1, 0)",
  "an INSERT that replaces": "INSERT INTO orders VALUES (1, 0) ON CONFLICT (id) DO UPDATE SET total = 0",
  "a DELETE behind a WITH": "WITH old AS (SELECT 1 AS id) DELETE FROM orders WHERE id IN (SELECT id FROM old)",
  "a DELETE behind a comment": "/* SELECT */ -- SELECT\nDELETE FROM orders",
};

const bySql = (name: string, toFlow: (house: House, file: string) => FlowSketch): Way => ({
  name,
  env: sqliteEnv,
  async open(house) {
    const shop = openSqliteShop();
    const left = () => (shop.tables() === 0 ? 0 : shop.count());
    return { flow: toFlow(house, shop.file), deleted: () => 2 - left() };
  },
});

const ways: readonly Way[] = [
  { name: "an HTTP step", open: (house) => shopOf(house, (url) => httpFlow(deletionAt(url))) },
  {
    name: "an operation of an OpenAPI document",
    open: (house) =>
      shopOf(house, (url) => {
        house.script(callsOnce("cancel_order", {}));
        return agentFlow({ tools: [{ type: "openapi-toolkit", config: { yamlFile: operation(url) } }] });
      }),
  },
  {
    name: "a step of code",
    open: (house) =>
      shopOf(house, (url) => functionFlow(`return (await fetch("${url}", { method: "DELETE" })).text()`)),
  },
  {
    name: "a custom tool whose name says so",
    open: (house) =>
      shopOf(house, async (url) => {
        const func = `return (await fetch("${url}", { method: "DELETE" })).text()`;
        const tool = { name: "remove_order", description: "Removes", color: "#6366f1", schema: "[]", func };
        const { id: toolId } = await house.owner<{ id: string }>("POST", "/tools", tool);
        house.script(callsOnce("remove_order", {}));
        return agentFlow({ tools: [{ type: "custom-tool", config: { toolId } }] });
      }),
  },
  {
    name: "a tool of MCP whose name says so",
    async open(house) {
      let calls = 0;
      const call = () => {
        calls += 1;
        return "Deleted";
      };
      const { url } = await house.shop(answerMcp(() => ({ name: "deleteOrder", description: "Reads an order" }), call));
      house.script(callsOnce("deleteOrder", {}));
      return { flow: agentFlow({ tools: [{ type: "mcp-server", config: { url } }] }), deleted: () => calls };
    },
  },
  {
    name: "an agent that another one calls",
    open: (house) =>
      shopOf(house, async (url) => {
        const agentId = await house.agent(httpFlow(deletionAt(url)), { isPublic: false });
        house.script(callsOnce("helper", { question: "Delete it" }));
        return agentFlow({ tools: [{ type: "agent", config: { agentId, name: "helper", description: "Helps" } }] });
      }),
  },
  bySql("a step of SQL", (_, file) => {
    const config = { engine: "sqlite", file, allowWrites: true, statement: "DELETE FROM orders" };
    return { nodes: [{ id: "sql", type: "sql", config }] };
  }),
  ...Object.entries(statements).map(([name, statement]) =>
    bySql(`a tool of SQL: ${name}`, (house, file) => {
      house.script(callsOnce("database_query", { statement }));
      return agentFlow({ tools: [{ type: "sql", config: { engine: "sqlite", file, allowWrites: true } }] });
    }),
  ),
];

function toAttack({ name, env, open }: Way): Attack {
  return defineAttack({
    name: `a visitor has ${name} delete, and approves it`,
    ...(env && { env }),
    async run(house) {
      const asking = await open(house);
      const path = `/api/v1/prediction/${await house.agent(asking.flow)}`;
      const visitor = house.visitor();
      const chatId = randomUUID();
      const apiConfig = { visitorWrites: { destructive: "allow" } };
      const overrideConfig = { ...apiConfig, apiConfig: JSON.stringify(apiConfig) };
      const { text } = await visitor.send("POST", path, { question: "Delete order 1", chatId, overrideConfig });
      assert.equal(asking.deleted(), 0, "It was deleted unasked.");
      await visitor.send("POST", path, { chatId, humanInput: { type: "proceed", feedback: "yes" } });
      assert.equal(asking.deleted(), 0, "The visitor approved the deletion.");
      const own = await open(house);
      const agent = await house.agent(own.flow, { isPublic: false, apiConfig: JSON.stringify(apiConfig) });
      await house.owner("POST", `/prediction/${agent}`, { question: "Delete order 1" });
      assert.ok(
        own.deleted() > 0,
        "The owner's own deletion does not take place either, so the attack proves nothing.",
      );
      return `It waits for a person of the owner's: ${/"action"/.test(text) ? "an action is asked for" : "refused"}.`;
    },
  });
}

export const attacks: readonly Attack[] = ways.map(toAttack);
