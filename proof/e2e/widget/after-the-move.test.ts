import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { setTimeout } from "node:timers/promises";
import { createClient, type FlowiseImport } from "@weft/client";
import { type BuiltFlowise, buildFlowiseDatabase, flowiseId } from "@weft/flowise-source/testing";
import { readPublishedWidget, untilItKnowsThatTheAgentStreams } from "./testing/published-widget.ts";
import { startWidget, type WidgetWorld } from "./testing/start-widget.ts";

type Row = Record<string, unknown>;

const widget = await readPublishedWidget();
const skip = widget === undefined && "npm reaches no registry to fetch the published widget from";
const agent = flowiseId("chat_flow", 0);

describe("the widget of Flowise's users, after a move", { skip }, () => {
  let world: WidgetWorld;
  let folder: string;
  let flowise: BuiltFlowise;

  before(async () => {
    world = await startWidget();
    folder = await mkdtemp(join(tmpdir(), "weft-flowise-"));
    flowise = await buildFlowiseDatabase({ folder });
    await importDatabase();
  });
  after(async () => {
    await world?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const call = <T>(method: string, path: string, body?: unknown) => world.platform.call<T>(method, path, body);

  async function importDatabase(): Promise<void> {
    const bytes = await readFile(flowise.database);
    const { url, token } = world.platform;
    const file = { name: "database.sqlite", sizeBytes: bytes.length };
    await createClient({ baseUrl: url, token: () => token }).uploadFlowiseFile(file, new Blob([new Uint8Array(bytes)]));
    await call("POST", "/flowise-import", { dryRun: false, openFlows: "public" });
    for (;;) {
      const { run } = await call<FlowiseImport>("GET", "/flowise-import");
      if (run?.state === "done") break;
      assert.notEqual(run?.state, "failed", JSON.stringify(run));
      await setTimeout(100);
    }
    await call("PUT", `/credentials/${flowiseId("credential", 0)}`, { plainDataObj: { openAIApiKey: "sk-test" } });
    await call("PUT", `/chatflows/${agent}`, {
      chatbotConfig: JSON.stringify({ allowedOrigins: [world.site.origin] }),
    });
  }

  it("shows the conversation that the visitor's browser kept, and goes on with it", async () => {
    const old = [...flowise.contents.rows("chat_message")].slice(0, 10);
    const chatId = String(old[0]?.chatId);
    const chatHistory = old.map(({ id, content, role }) => ({ messageId: id, message: content, type: role }));
    const kept = { name: `${agent}_EXTERNAL`, value: JSON.stringify({ chatId, chatHistory }) };
    const address = world.site.add({ script: widget ?? "" }).replace("/page/", "/script/");
    const given = JSON.stringify({ chatflowid: agent, apiHost: world.platform.url });
    const policy = `default-src 'none'; script-src 'self'; connect-src ${world.platform.url}; style-src 'unsafe-inline'; img-src data:`;
    const url = world.site.add({
      script: `import Chatbot from "${address}"; Chatbot.initFull(${given});`,
      body: "<flowise-fullchatbot></flowise-fullchatbot>",
      policy,
    });
    const storageState = { cookies: [], origins: [{ origin: world.site.origin, localStorage: [kept] }] };
    const page = await world.newPage({ storageState });
    await untilItKnowsThatTheAgentStreams(page, async () => {
      await page.goto(url);
    });
    await page.getByText(String(old[9]?.content)).waitFor();
    const answered = page.waitForResponse((response) => response.url().includes("/prediction/"));
    await page.getByPlaceholder("Type your question").fill("And now?");
    await page.getByPlaceholder("Type your question").press("Enter");
    await world.say("It goes on.");
    await page.getByText("It goes on.").waitFor();
    // Its client aborts a stream that is over, so that the request may count as failed.
    await (await answered).finished();
    const messages = await call<Row[]>("GET", `/chatmessage/${agent}?chatId=${chatId}`);
    assert.deepEqual(
      messages.map(({ content }) => content),
      [...old.map(({ content }) => content), "And now?", "It goes on."],
    );
    await page.close();
  });
});
