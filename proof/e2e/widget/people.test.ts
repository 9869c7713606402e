import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { assertAccessible } from "../builder/testing/assert-accessible.ts";
import { screenshot } from "../builder/testing/screenshot.ts";
import { answerThatSays, ask, startWidget, type WidgetWorld, wholeAnswerThatSays } from "./testing/start-widget.ts";

describe("a chat that a person answers in place of the agent", () => {
  let world: WidgetWorld;

  before(async () => {
    world = await startWidget();
  });
  after(() => world?.close());

  it("shows what the person writes and who it is, and goes back to the agent", async () => {
    const { call } = world.platform;
    const agent = await world.createAgent({ chatbotConfig: { title: "Shop" } });
    const page = await world.open(`${world.platform.url}/chat/${agent}`);
    await ask(page, "Where is my refund?");
    await world.say("I do not know.");
    await wholeAnswerThatSays(page, "I do not know.");
    const { data } = await call<{ data: { id: string }[] }>("GET", `/conversations?agentId=${agent}`);
    const path = `/conversations/${data[0]?.id}`;
    await call("PUT", `${path}/take-over`, { name: "Ada" });
    await ask(page, "Are you there?");
    await page.getByText("Passed on to Ada, who answers here.").waitFor();
    assert.equal(await page.getByText("has been passed on").count(), 0, "the notice for other clients is shown");
    await call("POST", `${path}/replies`, { text: "It left **today**. <b>Really</b>" });
    const reply = page.getByRole("group", { name: "Ada" });
    await reply.getByText("It left today. <b>Really</b>").waitFor();
    await assertAccessible(page, "a person's reply");
    await screenshot(page, "hosted-chat-person");
    await page.reload();
    await call("POST", `${path}/replies`, { text: "Anything else?" });
    await page.getByText("Anything else?").waitFor();
    assert.equal(await reply.getByText("It left today.").count(), 1);
    await call("DELETE", `${path}/take-over`);
    await ask(page, "No, thank you");
    await world.say("You are welcome.");
    await answerThatSays(page, "You are welcome.");
  });

  it("lets one who writes first be seen without another message", async () => {
    const { call } = world.platform;
    const agent = await world.createAgent();
    const page = await world.open(`${world.platform.url}/chat/${agent}`);
    await ask(page, "Hello");
    await world.say("Hi.");
    await wholeAnswerThatSays(page, "Hi.");
    const { data } = await call<{ data: { id: string }[] }>("GET", `/conversations?agentId=${agent}`);
    const path = `/conversations/${data[0]?.id}`;
    await call("PUT", `${path}/take-over`, {});
    await call("POST", `${path}/replies`, { text: "Can I help?" });
    await page.getByRole("group", { name: "A person" }).getByText("Can I help?").waitFor();
  });
});
