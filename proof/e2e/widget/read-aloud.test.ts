import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startVoiceServer, type VoiceStep } from "@weft/providers/testing";
import type { Page } from "playwright-core";
import { assertAccessible } from "../builder/testing/assert-accessible.ts";
import { retry } from "../builder/testing/retry.ts";
import { screenshot } from "../builder/testing/screenshot.ts";
import { silence } from "./testing/silence.ts";
import { ask, embed, startWidget, type WidgetWorld, wholeAnswerThatSays } from "./testing/start-widget.ts";

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };

const listen = (page: Page) => page.getByRole("button", { name: "Listen", exact: true });
const stop = (page: Page) => page.getByRole("button", { name: "Stop listening" });

type Voice = Awaited<ReturnType<typeof startVoiceServer>>;

const scripts = {
  long: [{ pieces: [silence(20)] }],
  shorter: [{ pieces: [silence(20)] }, { pieces: [silence(0.5)] }],
  endless: [{ pieces: ["ID3"], hangs: true }],
  byItself: [
    { pieces: [silence(20)] },
    { pieces: ["ID3"], hangs: true },
    { pieces: ["ID3"], hangs: true },
    { pieces: [silence(20)] },
  ],
  failing: [
    { status: 401, body: { error: { message: "bad sk-voice" } } },
    { pieces: ["ID3"], breaks: true },
    { pieces: [silence(20)] },
  ],
  unplayable: [{ pieces: ["no sound"] }],
} satisfies Record<string, VoiceStep[]>;

describe("an answer that visitors listen to", () => {
  let world: WidgetWorld;
  let voices: Record<keyof typeof scripts, Voice>;

  before(async () => {
    const started = Object.entries(scripts).map(async ([name, script]) => [name, await startVoiceServer(...script)]);
    voices = Object.fromEntries(await Promise.all(started));
    const hosts = Object.values(voices).map(({ url }) => new URL(url).host);
    world = await startWidget({ EGRESS_ALLOW: hosts.join(",") });
  });
  after(async () => {
    await world?.close();
    for (const voice of Object.values(voices)) await voice.close();
  });

  /** An agent whose answers are read by the server with this script. */
  async function createAgent(script: keyof typeof scripts, settings: object = {}) {
    const voice = voices[script];
    const { id: credentialId } = await world.platform.call<{ id: string }>("POST", "/credentials", {
      name: "Voice",
      credentialName: "openai",
      plainDataObj: { apiKey: "sk-voice", baseUrl: `${voice.url}/v1` },
    });
    const textToSpeech = { openai: { status: true, credentialId, ...settings } };
    const id = await world.createAgent({ chatbotConfig: { textToSpeech, chatFeedback: { status: true } } });
    return { voice, id, address: `${world.platform.url}/chat/${id}` };
  }

  async function askFor(page: Page, text: string): Promise<void> {
    await ask(page, "Tell me");
    await world.say(text);
    await wholeAnswerThatSays(page, text.replaceAll("*", ""));
  }

  it("is read without the marks of its format, and stopped by the same button", async () => {
    const { voice, address } = await createAgent("long");
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await world.open(address, { ...phone, colorScheme });
      await askFor(page, "It **rains**.");
      await assertAccessible(page, `an answer to listen to, ${colorScheme}`);
      await screenshot(page, `an-answer-to-listen-to-${colorScheme}`);
      await listen(page).focus();
      await page.keyboard.press("Enter");
      await stop(page).and(page.locator(":not(.busy)")).waitFor();
      await screenshot(page, `an-answer-that-is-read-${colorScheme}`);
      await assertAccessible(page, `an answer that is read, ${colorScheme}`);
      assert.equal(voice.requests.at(-1)?.body.input, "It rains.");
      await page.keyboard.press("Enter");
      await listen(page).and(page.locator(":focus")).waitFor();
      await page.close();
    }
  });

  it("ends by itself, and one answer is read at a time", async () => {
    const { address } = await createAgent("shorter");
    const page = await world.open(address);
    await askFor(page, "One.");
    await askFor(page, "Two.");
    await listen(page).first().click();
    await stop(page).and(page.locator(":not(.busy)")).waitFor();
    await listen(page).click();
    await listen(page).nth(1).waitFor();
    assert.equal(await stop(page).count(), 0);
    await page.close();
  });

  it("is let go of by a chat that is closed, also while the service is asked", async () => {
    const { voice, id } = await createAgent("endless");
    const { platform, site, open } = world;
    // The page allows no sound of its own.
    const policy = `default-src 'none'; script-src 'self' ${platform.url}; connect-src ${platform.url}`;
    const page = await open(site.add({ script: embed(platform.url, { chatflowid: id }), policy }));
    await page.getByRole("button", { name: "Open chat" }).click();
    await askFor(page, "One.");
    await listen(page).click();
    await stop(page).waitFor();
    // The button changes before the service hears of it.
    await retry(async () => assert.equal(voice.requests.length, 1));
    await page.getByRole("button", { name: "Close chat" }).first().click();
    await retry(async () => assert.equal(voice.abandoned(), 1));
    await page.getByRole("button", { name: "Open chat" }).click();
    await listen(page).waitFor();
    await page.close();
  });

  it("says why it cannot be read, is tried again, and heard again without the service", async () => {
    const { voice, address } = await createAgent("failing");
    const page = await world.open(address);
    await askFor(page, "One.");
    const problem = page.getByRole("alert").filter({ hasText: /./ });
    await listen(page).click();
    await problem.waitFor();
    assert.doesNotMatch((await problem.textContent()) ?? "", /sk-voice/);
    await listen(page).click();
    await problem.filter({ hasText: "ended before it was complete" }).waitFor();
    for (const _time of ["first", "second"]) {
      await listen(page).click();
      await stop(page).and(page.locator(":not(.busy)")).waitFor();
      assert.equal(await problem.count(), 0);
      await stop(page).click();
    }
    await listen(page).waitFor();
    assert.equal(voice.requests.length, 3);
    await page.close();
  });

  it("says that a recording cannot be played", async () => {
    const { voice, address } = await createAgent("unplayable");
    const page = await world.open(address);
    await askFor(page, "One.");
    const problem = page.getByRole("alert").filter({ hasText: "The answer could not be read aloud. Try again." });
    for (const _time of ["first", "second"]) {
      await listen(page).click();
      await problem.waitFor();
    }
    assert.equal(voice.requests.length, 1);
    await page.close();
  });

  it("is read by itself where the settings say so, until the next message", async () => {
    const { voice, address } = await createAgent("byItself", { autoPlay: true });
    const page = await world.open(address);
    await ask(page, "Tell me");
    await world.say("It rains.");
    await stop(page).and(page.locator(":not(.busy)")).waitFor();
    await stop(page).click();
    await askFor(page, "It snows.");
    await stop(page).and(page.locator(".busy")).waitFor();
    await stop(page).click();
    await retry(async () => assert.equal(voice.abandoned(), 1));
    await askFor(page, "It hails.");
    await stop(page).and(page.locator(".busy")).waitFor();
    await ask(page, "Still?");
    await listen(page).nth(2).waitFor();
    await world.say("No.");
    await stop(page).and(page.locator(":not(.busy)")).waitFor();
    assert.deepEqual(
      voice.requests.map(({ body }) => body.input),
      ["It rains.", "It snows.", "It hails.", "No."],
    );
    await page.close();
  });

  it("is not offered where the agent reads nothing aloud", async () => {
    const page = await world.open(`${world.platform.url}/chat/${await world.createAgent()}`);
    await ask(page, "Tell me");
    await world.say("It rains.");
    await wholeAnswerThatSays(page, "It rains.");
    assert.equal(await listen(page).count(), 0);
    await page.close();
  });
});
