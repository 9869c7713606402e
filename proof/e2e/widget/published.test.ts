import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startVoiceServer } from "@weft/providers/testing";
import type { Page } from "playwright-core";
import { screenshot } from "../builder/testing/screenshot.ts";
import { readPublishedWidget, untilItKnowsThatTheAgentStreams } from "./testing/published-widget.ts";
import { silence } from "./testing/silence.ts";
import { startWidget, type WidgetWorld } from "./testing/start-widget.ts";

type Row = Record<string, unknown>;

const widget = await readPublishedWidget();
const skip = widget === undefined && "npm reaches no registry to fetch the published widget from";

describe("the widget of Flowise's users, as it was published, in a page of another origin", { skip }, () => {
  let world: WidgetWorld;
  let widgetAddress: string;
  let voice: Awaited<ReturnType<typeof startVoiceServer>>;
  let sound: typeof voice;

  before(async () => {
    voice = await startVoiceServer({ pieces: ["ID3", "sound"] });
    sound = await startVoiceServer({ pieces: [silence(1)] });
    world = await startWidget({ EGRESS_ALLOW: [voice, sound].map(({ url }) => new URL(url).host).join(",") });
    widgetAddress = world.site.add({ script: widget ?? "" }).replace("/page/", "/script/");
  });
  after(async () => {
    await world?.close();
    await voice?.close();
    await sound?.close();
  });

  /**
   * A page with the widget, which writes styles into itself and loads nothing but from the site and the server. Resolves when
   * the widget knows that the agent streams.
   */
  async function open(chatflowid: string, call: "init" | "initFull" = "initFull"): Promise<Page> {
    const given = JSON.stringify({ chatflowid, apiHost: world.platform.url });
    const script = `import Chatbot from "${widgetAddress}"; Chatbot.${call}(${given});`;
    const body = call === "init" ? "" : "<flowise-fullchatbot></flowise-fullchatbot>";
    const policy = `default-src 'none'; script-src 'self'; connect-src ${world.platform.url}; style-src 'unsafe-inline'; img-src data:; media-src blob:`;
    const page = await world.newPage();
    await untilItKnowsThatTheAgentStreams(page, async () => {
      await page.goto(world.site.add({ script, body, policy }));
      if (call === "init") await page.locator("flowise-chatbot button").first().click();
    });
    return page;
  }

  async function ask(page: Page, text: string): Promise<void> {
    await page.getByPlaceholder("Type your question").fill(text);
    await page.getByPlaceholder("Type your question").press("Enter");
  }

  const call = <T>(path: string) => world.platform.call<T>("GET", path);

  /** Waits until what this does has been sent to this collection of the server, and answered. */
  async function answered(page: Page, collection: string, act: () => Promise<void>): Promise<void> {
    const response = page.waitForResponse(
      (one) => one.url().includes(`/api/v1/${collection}`) && one.request().method() === "POST",
    );
    await act();
    await (await response).finished();
  }

  it("shows an answer while it is written, and has the conversation after a reload", async () => {
    const agent = await world.createAgent();
    const page = await open(agent, "init");
    await answered(page, "prediction", async () => {
      await ask(page, "Tell me");
      const answer = await world.model.next();
      answer.say("**Once** upon");
      await page.getByText("Once upon").waitFor();
      answer.say(" a time");
      answer.finish();
      await page.getByText("Once upon a time").waitFor();
    });
    await screenshot(page, "published-widget");
    await untilItKnowsThatTheAgentStreams(page, async () => {
      await page.reload();
      await page.locator("flowise-chatbot button").first().click();
    });
    await page.getByText("Once upon a time").waitFor();
    await answered(page, "prediction", async () => {
      await ask(page, "And then?");
      await world.say("They lived.");
      await page.getByText("They lived.").waitFor();
    });
    const messages = await call<Row[]>(`/chatmessage/${agent}`);
    assert.equal(new Set(messages.map(({ chatId }) => chatId)).size, 1, "one chat before and after the reload");
    assert.equal(messages.length, 4);
    await page.close();
  });

  it("has an answer read aloud when its button is pressed", async () => {
    const plainDataObj = { apiKey: "sk-voice", baseUrl: `${voice.url}/v1` };
    const { id: credentialId } = await world.platform.call<{ id: string }>("POST", "/credentials", {
      name: "Voice",
      credentialName: "openai",
      plainDataObj,
    });
    const textToSpeech = { openai: { status: true, credentialId, voice: "nova" } };
    const agent = await world.createAgent({ chatbotConfig: { textToSpeech } });
    const page = await open(agent);
    await ask(page, "Tell me");
    await world.say("It rains.");
    await page.getByText("It rains.").waitFor();
    const answer = page.waitForResponse((one) => one.url().endsWith("/api/v1/text-to-speech/generate"));
    await page
      .getByTitle(/speech|read|play|audio/i)
      .first()
      .click();
    const text = await (await answer).text();
    assert.match(text, /"event":"tts_start"[\s\S]*"audioChunk":"SUQz[\s\S]*"event":"tts_end"/);
    const { body, headers } = voice.requests[0] ?? assert.fail("nothing was read");
    assert.deepEqual([body.input, body.voice, headers.authorization], ["It rains.", "nova", "Bearer sk-voice"]);
    await page.close();
  });

  it("plays an answer that the agent reads by itself", async () => {
    const plainDataObj = { apiKey: "sk-voice", baseUrl: `${sound.url}/v1` };
    const { id: credentialId } = await world.platform.call<{ id: string }>("POST", "/credentials", {
      name: "Voice",
      credentialName: "openai",
      plainDataObj,
    });
    const textToSpeech = { openai: { status: true, credentialId, autoPlay: true } };
    const page = await open(await world.createAgent({ chatbotConfig: { textToSpeech } }));
    await page.evaluate(() => {
      const { play } = HTMLMediaElement.prototype;
      HTMLMediaElement.prototype.play = function () {
        document.title = "playing";
        return play.call(this);
      };
    });
    await ask(page, "Tell me");
    await world.say("It rains.");
    await page.getByText("It rains.").waitFor();
    await page.waitForFunction(() => document.title === "playing", undefined, { timeout: 90_000 });
    await page.close();
  });

  it("asks for contact details, sends a file, and takes feedback", async () => {
    const agent = await world.createAgent({
      chatbotConfig: {
        leads: { status: true, title: "Who are you?", name: true, email: true },
        chatFeedback: { status: true },
        fullFileUpload: { status: true, allowedUploadFileTypes: "text/plain" },
      },
    });
    const page = await open(agent);
    await page.getByText("Who are you?").waitFor();
    await page.getByPlaceholder("Name").fill("Ada");
    await page.getByPlaceholder("Email Address").fill("ada@example.com");
    await answered(page, "leads", () => page.locator("form button[type=submit]").click());
    const leads = await call<Row[]>(`/leads/${agent}`);
    assert.deepEqual(
      leads.map(({ name, email }) => [name, email]),
      [["Ada", "ada@example.com"]],
    );
    const list = { name: "list.txt", mimeType: "text/plain", buffer: Buffer.from("milk, bread") };
    await page.locator("input[type=file]").last().setInputFiles(list);
    await page.getByText("list.txt").waitFor();
    await answered(page, "prediction", async () => {
      await ask(page, "What is on the list?");
      await world.say("Milk and bread.");
      await page.getByText("Milk and bread.").waitFor();
    });
    const messages = await call<{ fileUploads: { name: string }[] }[]>(`/chatmessage/${agent}`);
    assert.deepEqual(
      messages[0]?.fileUploads.map(({ name }) => name),
      ["list.txt"],
    );
    await answered(page, "feedback", () => page.getByTitle("Thumbs Down").click());
    const [feedback] = await call<Row[]>(`/feedback/${agent}`);
    assert.equal(feedback?.rating, "THUMBS_DOWN");
    await page.close();
  });

  it("takes the decision that a run waits for", async () => {
    const config = { question: "May I send it?", proceedLabel: "Send it", rejectLabel: "Keep it" };
    const agent = await world.createAgent({ type: "human-input", config });
    const page = await open(agent);
    await answered(page, "prediction", () => ask(page, "Go"));
    await page.getByText("May I send it?").waitFor();
    await page.getByRole("button", { name: "Send it" }).click();
    await page.getByPlaceholder("Please provide").fill("With a stamp");
    await answered(page, "prediction", () => page.getByRole("button", { name: "Submit", exact: true }).click());
    const { state, steps } = await world.onlyRun(agent);
    assert.equal(state, "FINISHED");
    assert.deepEqual(steps[1]?.input, { type: "proceed", feedback: "With a stamp" });
    await page.close();
  });

  it("shows the form of an agent that takes one, and sends what is filled in", async () => {
    const fields = [
      { name: "guest", label: "Your name", type: "string", required: true },
      { name: "guests", label: "Guests", type: "number", default: 2 },
      { name: "meal", label: "Meal", type: "options", options: ["Lunch", "Dinner"], required: true },
    ];
    const start = { input: "form", form: { title: "Book a table", fields } };
    const agent = await world.createAgent({
      start,
      config: { prompt: "For {{ $form.guest }} and {{ $form.guests }}: {{ $form.meal }}" },
    });
    const page = await open(agent);
    await page.getByText("Book a table").waitFor();
    await page.locator("input[name=guest]").fill("Ada");
    // This widget asks for every field, also for those that may be left out.
    await page.locator("input[name=guests]").fill("3");
    await page.locator("select[name=meal]").selectOption("Dinner");
    await answered(page, "prediction", async () => {
      await page.getByRole("button", { name: "Submit" }).click();
      await world.say("Booked.");
      await page.getByText("Booked.").waitFor();
    });
    const { steps } = await world.onlyRun(agent);
    assert.match(JSON.stringify(steps), /For Ada and 3: Dinner/);
    await page.close();
  });

  it("says that an agent failed, and nothing of why", async () => {
    const page = await open(await world.createAgent({ config: { model: { provider: "nobody", model: "x" } } }));
    await ask(page, "Hello");
    await page.getByText("A service that this agent needs did not do what it was asked.").waitFor();
    await page.close();
  });
});
