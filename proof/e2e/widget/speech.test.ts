import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createScriptedServer, speechFormat } from "@weft/providers/testing";
import { assertAccessible } from "../builder/testing/assert-accessible.ts";
import { openBrowser } from "../testing/open-browser.ts";
import {
  answerThatSays,
  ask,
  embed,
  startWidget,
  type WidgetWorld,
  wholeAnswerThatSays,
} from "./testing/start-widget.ts";

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };

describe("speech in the chat", () => {
  let world: WidgetWorld;
  let speech: Awaited<ReturnType<typeof createScriptedServer<{ form(): Promise<FormData> }>>>;
  let agent: string;

  before(async () => {
    speech = await createScriptedServer(speechFormat, { script: () => ({ text: "What grows in shade?" }) });
    world = await startWidget({ EGRESS_ALLOW: new URL(speech.url).host });
    agent = await world.createAgent({ speechToText: { localAISTT: { status: true, baseUrl: speech.url } } });
  });

  after(async () => {
    await world?.close();
    await speech?.close();
  });

  const addressOf = (id: string) => `${world.platform.url}/chat/${id}`;

  it("is recorded, sent, and shown as the message that was understood", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await world.open(addressOf(agent), { ...phone, colorScheme });
      await page.getByLabel("Message", { exact: true }).fill("typed before");
      await page.getByRole("button", { name: "Record a message" }).click();
      await page.getByText(/^Recording… (?!0:00$)/).waitFor();
      await assertAccessible(page, `a recording, ${colorScheme}`);
      await page.keyboard.press("Enter");
      await world.say("Ferns.");
      await answerThatSays(page, "Ferns.");
      await page.getByRole("group", { name: "You said" }).filter({ hasText: "What grows in shade?" }).waitFor();
      assert.equal(await page.getByLabel("Message", { exact: true }).inputValue(), "typed before");
      const sent = (await speech.requests.at(-1)?.body.form())?.get("file");
      assert.ok(sent instanceof File && sent.size > 500, "a recording with something in it");
      assert.equal(sent.type, "audio/webm");
      await page.close();
    }
  });

  it("is dropped when it is cancelled, and when the chat is closed", async () => {
    const { platform, site, open } = world;
    const page = await open(site.add({ script: embed(platform.url, { chatflowid: agent }) }));
    // Tells whether the page still listens.
    await page.evaluate(() => {
      const { mediaDevices } = navigator;
      const open = mediaDevices.getUserMedia.bind(mediaDevices);
      mediaDevices.getUserMedia = async (asked) => {
        const stream = await open(asked);
        Object.assign(window, { tracks: stream.getTracks() });
        return stream;
      };
    });
    const heard = speech.requests.length;
    for (const leave of ["Cancel the recording", "Close chat"]) {
      const opener = page.getByRole("button", { name: "Open chat" });
      if (await opener.isVisible()) await opener.click();
      await page.getByRole("button", { name: "Record a message" }).click();
      await page.getByText("Recording…").waitFor();
      await page.getByRole("button", { name: leave }).first().click();
      await page.waitForFunction(() =>
        (window as unknown as { tracks: MediaStreamTrack[] }).tracks.every(({ readyState }) => readyState === "ended"),
      );
    }
    // Whatever was sent before would be in the chat by now.
    await page.getByRole("button", { name: "Open chat" }).click();
    await ask(page, "Shade?");
    await world.say("Ferns.");
    await wholeAnswerThatSays(page, "Ferns.");
    assert.equal(await page.getByRole("group", { name: "You said" }).count(), 1);
    assert.equal(speech.requests.length, heard);
    await page.close();
  });

  it("says in words that the microphone is blocked, and takes typed messages on", async () => {
    const browser = await openBrowser({ microphone: "deny" });
    const page = await browser.newPage();
    await page.goto(addressOf(agent));
    await page.getByRole("button", { name: "Record a message" }).click();
    await page.getByText("The microphone is blocked.").waitFor();
    await ask(page, "Shade?");
    await world.say("Ferns.");
    await answerThatSays(page, "Ferns.");
    await browser.close();
  });

  it("is not offered where the agent takes none", async () => {
    const page = await world.open(addressOf(await world.createAgent()));
    await page.getByLabel("Message", { exact: true }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Record a message" }).count(), 0);
    await page.close();
  });
});
