import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { assertAccessible } from "./testing/assert-accessible.ts";
import {
  at,
  button,
  confirmPublishing,
  flowOf,
  nodeOf,
  openPublishDialog,
  publish,
  shows,
  start,
} from "./testing/canvas-page.ts";
import { type BuilderWorld, startBuilder } from "./testing/open-builder.ts";
import { retry } from "./testing/retry.ts";
import { screenshot } from "./testing/screenshot.ts";
import { createAgent, storedFlow } from "./testing/stored-agents.ts";

const text = { type: "string", required: true };
const edges = [{ source: "start_0", target: "agent_0" }];
const agentWith = (config: object) => ({ id: "agent_0", type: "agent", label: "Agent", ...at(344, 0), config });

describe("what would fail is said while one builds", () => {
  let world: BuilderWorld;

  before(async () => {
    world = await startBuilder();
  });
  after(() => world?.close());

  it("an empty required field: the save state counts it, the step is marked, the field says it", async () => {
    const tools = [{ type: "request-get", config: { name: "get_events" } }];
    const agent = agentWith({ model: { provider: "openai" }, tools });
    const page = await world.open(`/agents/${await createAgent(world.platform, flowOf([start, agent], edges))}`);
    await shows(page, ["start_0", "agent_0"]);
    await page.getByRole("status").filter({ hasText: "Published · 2 problems" }).waitFor();
    await nodeOf(page, "agent_0")
      .getByRole("img", { name: /needs an API key/ })
      .waitFor();
    await nodeOf(page, "agent_0").click();
    await page
      .getByText(/openai\/.* it needs an API key/)
      .first()
      .waitFor();
    await button(page, /get_events/)
      .first()
      .click();
    const form = page.getByRole("complementary", { name: "Step", exact: true });
    await form.getByRole("textbox", { name: "URL" }).waitFor();
    assert.equal(await form.getByText(/URL is missing/).count(), 0, "nobody has come to it yet");
    await button(page, "2 findings").click();
    await button(page, /URL is missing/).click();
    await form.getByText("URL is missing. Fill it in.").waitFor();
    await page.getByRole("group", { name: "Tools", exact: true }).waitFor();
    await screenshot(page, "findings-fields");
    await assertAccessible(page, "findings at their fields");
    await page.close();
  });

  it("an empty field of a new tool: nothing in red before it was left, or the flow is to be used", async () => {
    const page = await world.open(
      `/agents/${await createAgent(world.platform, flowOf([start, agentWith({})], edges))}`,
    );
    await nodeOf(page, "agent_0").click();
    await button(page, "Add tool").click();
    await page.getByRole("option", { name: /^GET request/ }).click();
    const form = page.getByRole("complementary", { name: "Step", exact: true });
    const url = form.locator('[data-field="tools.0.config.url"]');
    const error = url.getByText("Enter a URL.", { exact: true });
    await button(page, "1 finding").waitFor();
    assert.equal(await error.count(), 0);
    assert.equal(await form.getByText(/problem/).count(), 0);
    await url.getByRole("textbox").click();
    await page.keyboard.press("Tab");
    await error.waitFor();

    await button(page, "Add tool").click();
    await page.getByRole("option", { name: /^DELETE request/ }).click();
    const next = form.locator('[data-field="tools.1.config.url"]');
    await button(page, "2 findings").waitFor();
    assert.equal(await next.getByText("Enter a URL.").count(), 0);
    const publishing = await openPublishDialog(page);
    await publishing.getByText("Open findings").waitFor();
    await publishing.getByRole("button", { name: "Cancel" }).click();
    await next.getByText("Enter a URL.", { exact: true }).waitFor();
    await assertAccessible(page, "fields that say what they need");
    await page.close();
  });

  it("a PUT as its table gives it offers a place for the id, and shows method and places", async () => {
    const config = {
      url: "http://127.0.0.1:5566/events",
      name: "update_event",
      bodySchema: { id: text, name: text, date: text, location: text },
    };
    const id = await createAgent(
      world.platform,
      flowOf([start, agentWith({ tools: [{ type: "request-put", config }] })], edges),
    );
    const page = await world.open(`/agents/${id}`);
    await shows(page, ["start_0", "agent_0"]);
    await page.getByRole("status").filter({ hasText: "Published · 1 warning" }).waitFor();
    await nodeOf(page, "agent_0").click();
    await button(page, /update_event/)
      .first()
      .click();
    await page.getByTitle("id is sent in the Body").waitFor();
    await page.getByText("PATCH", { exact: true }).waitFor();
    await screenshot(page, "findings-put");
    await button(page, "Add /{id} to the URL").click();
    await page.getByTitle("id is sent in the Path").waitFor();
    await page.getByTitle("name is sent in the Body").waitFor();
    await publish(page);
    await page
      .getByRole("status")
      .filter({ hasText: /^Published$/ })
      .waitFor();
    const { nodes } = await storedFlow(world.platform, id);
    const tools = nodes.flatMap(({ config }) => (config.tools ?? []) as unknown as { config: { url: string } }[]);
    assert.deepEqual(
      tools.map(({ config: { url } }) => url),
      ["http://127.0.0.1:5566/events/{id}"],
    );
    await page.close();
  });

  it("what an import refused stays an error of its step until the author says that it is dealt with", async () => {
    const left = (name: string) => ({
      code: "import-guardrail-missing",
      message: `It had the guardrail "${name}", which has no counterpart here. Check its answers in another way.`,
    });
    const reply = {
      ...{ id: "reply_0", type: "direct-reply", label: "Reply", ...at(344, 0), config: { message: "Hello" } },
      refused: [left("Crystal Ball"), left("Tea Leaves")],
    };
    const { platform } = world;
    const id = await createAgent(platform, flowOf([start, reply], [{ source: "start_0", target: "reply_0" }]));
    const ask = () => platform.call<{ text: string }>("POST", `/prediction/${id}`, { question: "Hi" });
    const page = await world.open(`/agents/${id}`);
    await page.getByRole("status").filter({ hasText: "Published · 2 problems" }).waitFor();
    await nodeOf(page, "reply_0").click();
    const refusalOf = (name: string) => page.getByRole("alert").filter({ hasText: `the guardrail "${name}"` });
    const done = (name: string) => refusalOf(name).getByRole("button", { name: "Done: it is dealt with" });
    await done("Tea Leaves").waitFor();
    await assertAccessible(page, "what an import refused");
    await done("Crystal Ball").click();
    await refusalOf("Crystal Ball").waitFor({ state: "hidden" });
    await publish(page);
    await assert.rejects(ask(), /Tea Leaves/);
    await done("Tea Leaves").click();
    await refusalOf("Tea Leaves").waitFor({ state: "hidden" });
    await publish(page);
    await page
      .getByRole("status")
      .filter({ hasText: /^Published$/ })
      .waitFor();
    assert.equal((await ask()).text, "Hello");
    const { nodes } = await storedFlow(platform, id);
    assert.ok(nodes.every((node) => !("refused" in node)));
    await page.close();
  });

  it("a credential that may not go to a host gets it by a click, in the list of findings and at the step", async () => {
    const { id: credential } = await world.platform.call<{ id: string }>("POST", "/credentials", {
      name: "Shop",
      credentialName: "httpBearerToken",
      plainDataObj: { token: "tk-of-the-shop-4711" },
    });
    const hostsAre = async (expected: string[]) => {
      const { hosts } = await world.platform.call<{ hosts: string[] }>("GET", `/credentials/${credential}`);
      assert.deepEqual(hosts, expected);
    };
    const http = (id: string, x: number, host: string) => ({
      ...{ id, type: "http", label: id, ...at(x, 0) },
      config: { url: `https://${host}/orders`, credential },
    });
    const flow = flowOf(
      [start, http("http_0", 344, "orders.example.com"), http("http_1", 688, "stock.example.com")],
      [
        { source: "start_0", target: "http_0" },
        { source: "http_0", target: "http_1" },
      ],
    );
    const id = await createAgent(world.platform, flow);
    await world.platform.call("PUT", `/credentials/${credential}`, { hosts: ["kept.example.com"] });
    const page = await world.open(`/agents/${id}`);
    await shows(page, ["start_0", "http_0", "http_1"]);
    await page.getByRole("status").filter({ hasText: "Published · 2 problems" }).waitFor();
    await button(page, "2 findings").click();
    await button(page, "Allow this credential for https://stock.example.com").waitFor();
    await screenshot(page, "findings-bind");
    await assertAccessible(page, "findings with a host to bind");
    await button(page, "Allow this credential for https://orders.example.com").click();
    await page.getByRole("status").filter({ hasText: "Published · 1 problem" }).waitFor();
    await hostsAre(["kept.example.com", "orders.example.com"]);
    const left = button(page, "Allow this credential for https://stock.example.com");
    await page.keyboard.press("Escape");
    await left.waitFor({ state: "hidden" });
    await nodeOf(page, "http_1").click();
    await button(page, "Allow this credential for https://stock.example.com").click();
    await page
      .getByRole("status")
      .filter({ hasText: /^Published$/ })
      .waitFor();
    await hostsAre(["kept.example.com", "orders.example.com", "stock.example.com"]);
    await page.close();
  });

  it("publishing asks where credentials may go, and either answer publishes", async () => {
    const { id: credential } = await world.platform.call<{ id: string }>("POST", "/credentials", {
      name: "Warehouse",
      credentialName: "httpBearerToken",
      plainDataObj: { token: "tk-of-the-warehouse-4711" },
    });
    const destinations = async () => {
      const stored = await world.platform.call<{ destinations: { destination: string; confirmedBy: string }[] }>(
        "GET",
        `/credentials/${credential}`,
      );
      return stored.destinations.map(({ destination, confirmedBy }) => `${destination} by ${confirmedBy}`);
    };
    const flow = (config: object) =>
      flowOf(
        [start, { ...at(344, 0), id: "http_0", type: "http", label: "Refund", config }],
        [{ source: "start_0", target: "http_0" }],
      );
    const id = await createAgent(world.platform, flow({ url: "https://one.example.com/a" }));
    for (const [host, answer, allowed] of [
      ["one", "Publish without allowing", []],
      ["two", "Allow and publish", ["https://two.example.com by ada@example.com"]],
    ] as const) {
      const flowData = flow({ url: `https://${host}.example.com/a`, credential });
      await world.platform.call("PUT", `/chatflows/${id}/draft`, { flowData, pins: {} });
      const page = await world.open(`/agents/${id}`);
      await shows(page, ["start_0", "http_0"]);
      await page.getByRole("button", { name: /finding/ }).waitFor();
      await confirmPublishing(page);
      const dialog = page.getByRole("dialog", { name: "Where credentials go" });
      const sentence = `“Warehouse” will be sent to https://${host}.example.com by the step “Refund”.`;
      await dialog.getByText(sentence).waitFor();
      await screenshot(page, `destinations-${host}`);
      await assertAccessible(page, "the question where credentials go");
      await dialog.getByRole("button", { name: answer }).click();
      await page
        .getByRole("status")
        .filter({ hasText: /^Published/ })
        .waitFor();
      assert.deepEqual(await destinations(), allowed);
      await page.close();
    }
  });

  it("a toolkit's form says the words of the reference, with Custom Code in sight and examples of it", async () => {
    const toolkit = agentWith({ tools: [{ type: "openapi-toolkit", config: {} }] });
    const page = await world.open(`/agents/${await createAgent(world.platform, flowOf([start, toolkit], edges))}`);
    await shows(page, ["start_0", "agent_0"]);
    await nodeOf(page, "agent_0").click();
    await button(page, /OpenAPI toolkit/)
      .first()
      .click();
    for (const title of ["YAML File", "Return Direct", "Headers", "Remove null parameters", "Custom Code"]) {
      await page.getByText(title, { exact: true }).first().waitFor();
    }
    await button(page, "Examples").click();
    await page.getByRole("menuitem", { name: "As the call is made without code" }).click();
    await retry(async () =>
      assert.match((await page.locator(".cm-content").last().textContent()) ?? "", /require\("node-fetch"\)/),
    );
    await screenshot(page, "findings-toolkit");
    await page.close();
  });
});
