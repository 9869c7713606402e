import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { assertAccessible } from "../builder/testing/assert-accessible.ts";
import { screenshot } from "../builder/testing/screenshot.ts";
import {
  answerThatSays,
  ask,
  embed,
  startWidget,
  type WidgetWorld,
  wholeAnswerThatSays,
} from "./testing/start-widget.ts";

type Row = Record<string, unknown>;

describe("the widget in a page of another origin", () => {
  let world: WidgetWorld;

  before(async () => {
    world = await startWidget();
  });

  after(async () => {
    await world?.close();
  });

  /** Opens a page with the bubble, and the bubble. Collects what the content security policy and the script complain of. */
  async function openBubble(chatflowid: string, options: object = {}): Promise<{ page: Page; complaints: string[] }> {
    const { platform, site, open } = world;
    const page = await open("about:blank");
    const complaints: string[] = [];
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(String(error)));
    await page.goto(site.add({ script: embed(platform.url, { chatflowid, ...options }) }));
    await page.getByRole("button", { name: "Open chat" }).click();
    return { page, complaints };
  }

  /** In the visitor's light scheme and in the dark one, which the chat follows. */
  async function assertAccessibleInBoth(page: Page, name: string): Promise<void> {
    const grounds = new Set<string>();
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      grounds.add(await page.locator(".frame").evaluate((frame) => getComputedStyle(frame).backgroundColor));
      await assertAccessible(page, `${name}, ${colorScheme}`);
    }
    assert.equal(grounds.size, 2, `${name}: each scheme has a ground of its own`);
  }

  const call = <T>(path: string) => world.platform.call<T>("GET", path);

  it("shows an answer while it is written, as Markdown without markup of the model's", async () => {
    const agent = await world.createAgent();
    const { page, complaints } = await openBubble(agent);
    await ask(page, "Tell me");
    const answer = await world.model.next();
    answer.say("**Once** ");
    await answerThatSays(page, "Once");
    assert.equal(await page.locator(".answer[aria-busy=true] strong").textContent(), "Once");
    answer.say('<img src=x onerror="window.hacked=1"> [bad](javascript:window.hacked=1) [good](https://example.com/)');
    answer.finish();
    await page.locator(".answer[aria-busy=false]").waitFor();
    assert.equal(await page.locator(".answer img").count(), 0);
    const links = await page
      .locator(".answer a")
      .evaluateAll((all) => all.map((one) => [(one as HTMLAnchorElement).href, (one as HTMLAnchorElement).rel]));
    assert.deepEqual(links, [["https://example.com/", "noopener noreferrer nofollow"]]);
    assert.equal(await page.evaluate(() => (window as unknown as Row).hacked), undefined);
    assert.deepEqual(complaints, []);
    await assertAccessibleInBoth(page, "an open dialog with an answer");
    await screenshot(page, "widget-bubble");
    await page.close();
  });

  it("asks for contact details first, and sends feedback with a reason", async () => {
    const agent = await world.createAgent({
      chatbotConfig: {
        title: "Shop help",
        leads: { status: true, title: "Who are you?", name: true, email: true },
        chatFeedback: { status: true },
      },
    });
    const { page } = await openBubble(agent);
    await page.getByRole("heading", { name: "Who are you?" }).waitFor();
    await assertAccessibleInBoth(page, "the lead form");
    assert.equal(await page.getByLabel("Message", { exact: true }).isVisible(), false);
    await page.getByLabel("Name").fill("Ada");
    await page.getByLabel("E-mail").fill("ada@example.com");
    await page.getByRole("button", { name: "Start chat" }).click();
    await page.getByLabel("Message", { exact: true }).waitFor();
    await ask(page, "Hello");
    await world.say("Hello, Ada");
    await page.getByRole("button", { name: "Bad answer" }).click();
    await page.getByLabel("What could be better?").fill("Longer");
    const changed = page.waitForResponse((response) => response.url().endsWith("/feedback"));
    await page.getByRole("button", { name: "Send feedback" }).click();
    await changed;
    await page.getByText("Thank you for your feedback.").waitFor();
    const leads = await call<Row[]>(`/leads/${agent}`);
    assert.deepEqual(
      leads.map(({ name, email }) => [name, email]),
      [["Ada", "ada@example.com"]],
    );
    const feedback = await call<Row[]>(`/feedback/${agent}`);
    assert.deepEqual(
      feedback.map(({ rating, content }) => [rating, content]),
      [["THUMBS_DOWN", "Longer"]],
    );
    await page.reload();
    await page.getByRole("button", { name: "Open chat" }).click();
    await answerThatSays(page, "Hello, Ada");
    assert.equal(await page.getByRole("heading", { name: "Who are you?" }).count(), 0);
    await page.close();
  });

  it("sends files that the agent takes, and says why it sends no others", async () => {
    const agent = await world.createAgent({
      chatbotConfig: { fullFileUpload: { status: true, allowedUploadFileTypes: "text/plain" } },
    });
    const { page } = await openBubble(agent);
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      page.getByRole("button", { name: "Attach files" }).click(),
    ]);
    await chooser.setFiles([
      { name: "list.txt", mimeType: "text/plain", buffer: Buffer.from("milk, bread") },
      { name: "film.mp4", mimeType: "video/mp4", buffer: Buffer.from("x") },
    ]);
    await page.getByText("film.mp4: this chat takes no files of this kind.").waitFor();
    await page.getByRole("button", { name: "Remove list.txt" }).waitFor();
    await ask(page, "What is on the list?");
    await world.say("Milk and bread.");
    await wholeAnswerThatSays(page, "Milk and bread.");
    await page.getByRole("group", { name: "You said" }).filter({ hasText: "list.txt" }).waitFor();
    const messages = await call<{ fileUploads: { name: string }[] }[]>(`/chatmessage/${agent}`);
    assert.deepEqual(
      messages[0]?.fileUploads.map(({ name }) => name),
      ["list.txt"],
    );
    await page.close();
  });

  it("takes the decision that a run waits for, with a comment", async () => {
    const config = { question: "May I **send** it?", proceedLabel: "Send it", rejectLabel: "Keep it" };
    const agent = await world.createAgent({ type: "human-input", config });
    const { page } = await openBubble(agent);
    await ask(page, "Go");
    await page.getByRole("button", { name: "Send it" }).waitFor();
    await assertAccessibleInBoth(page, "a decision");
    await page.reload();
    await page.getByRole("button", { name: "Open chat" }).click();
    await page.getByLabel("Comment (optional)").fill("With a stamp");
    await page.getByRole("button", { name: "Send it" }).click();
    await page.getByRole("group", { name: "You said" }).filter({ hasText: "With a stamp" }).waitFor();
    await page.locator(".answer[aria-busy=true]").waitFor({ state: "detached" });
    const { state, steps } = await world.onlyRun(agent);
    assert.equal(state, "FINISHED");
    assert.deepEqual(steps[1]?.input, { type: "proceed", feedback: "With a stamp" });
    await page.close();
  });

  it("shows the form of an agent that takes one, and sends what is filled in", async () => {
    const fields = [
      { name: "guest", label: "Your name", type: "string", required: true },
      { name: "guests", label: "Guests", type: "number", default: 2 },
      { name: "veg", label: "Vegetarian", type: "boolean" },
      { name: "meal", label: "Meal", type: "options", options: ["Lunch", "Dinner"], required: true },
    ];
    const agent = await world.createAgent({ start: { input: "form", form: { title: "Book a table", fields } } });
    const { page } = await openBubble(agent);
    await page.getByRole("heading", { name: "Book a table" }).waitFor();
    await assertAccessibleInBoth(page, "a start form");
    await screenshot(page, "widget-form");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    assert.equal(await page.getByRole("group", { name: "You said" }).count(), 0, "a field is missing");
    await page.getByLabel("Your name").fill("Ada");
    await page.getByLabel("Meal").selectOption("Dinner");
    await page.getByLabel("Vegetarian").check();
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await world.say("Booked.");
    await wholeAnswerThatSays(page, "Booked.");
    const { steps } = await world.onlyRun(agent);
    assert.deepEqual(steps[0]?.output.form, { guest: "Ada", guests: 2, veg: true, meal: "Dinner" });
    await page.getByRole("group", { name: "You said" }).filter({ hasText: "Meal: Dinner" }).waitFor();
    await page.getByRole("button", { name: "Fill in the form again" }).click();
    await page.getByRole("heading", { name: "Book a table" }).waitFor();
    await page.close();
  });

  it("has the API of existing widgets: observers, requests that the page changes, overrides, and destroy", async () => {
    const agent = await world.createAgent({ chatbotConfig: { starterPrompts: { "0": { prompt: "Prices?" } } } });
    const { platform, site, open } = world;
    const script = `import Chatbot from "${platform.url}/widget.js";
      window.seen = { inputs: [], loading: [], messages: [] };
      Chatbot.init({ chatflowid: "${agent}", apiHost: "${platform.url}/", chatflowConfig: { sessionId: crypto.randomUUID() },
        theme: { button: { backgroundColor: "#123456", size: 64 }, tooltip: { showTooltip: true, tooltipMessage: "Ask us" },
          chatWindow: { title: "Our shop", welcomeMessage: "Welcome!", textInput: { placeholder: "Ask away", maxChars: 20 },
            footer: { text: "By", company: "Us", companyLink: "https://us.example" } } },
        observersConfig: { observeUserInput: (text) => window.seen.inputs.push(text), observeLoading: (on) => window.seen.loading.push(on),
          observeMessages: (all) => { window.seen.messages = all; } },
        onRequest: (request) => { request.headers = { ...request.headers, "X-API-Key": "" }; window.changed = (window.changed ?? 0) + 1; } });`;
    const page = await open(site.add({ script }));
    await page.getByText("Ask us").waitFor();
    const button = page.getByRole("button", { name: "Open chat" });
    const style = await button.evaluate((one) => [getComputedStyle(one).backgroundColor, getComputedStyle(one).width]);
    assert.deepEqual(style, ["rgb(18, 52, 86)", "64px"]);
    await button.click();
    await page.getByRole("dialog", { name: "Our shop" }).waitFor();
    await page.getByText("Welcome!").waitFor();
    await page.getByRole("link", { name: "Us" }).waitFor();
    await page.getByPlaceholder("Ask away").fill("This is much longer than twenty characters");
    await page.getByText("Write at most 20 characters.").waitFor();
    await page.getByPlaceholder("Ask away").fill("");
    await page.getByRole("button", { name: "Prices?" }).click();
    await world.say("One euro.");
    await wholeAnswerThatSays(page, "One euro.");
    type Seen = { seen: { inputs: string[]; loading: boolean[]; messages: object[] }; changed: number };
    const { seen, changed } = await page.evaluate(() => {
      const { seen, changed } = window as unknown as Seen;
      return { seen, changed };
    });
    assert.deepEqual(seen.inputs, ["Prices?"]);
    assert.deepEqual(seen.loading, [true, false]);
    assert.deepEqual(seen.messages, [
      { type: "userMessage", message: "Prices?" },
      { type: "apiMessage", message: "One euro." },
    ]);
    assert.ok(changed >= 2, String(changed));
    await page.keyboard.press("Escape");
    assert.equal(await page.getByRole("dialog").isVisible(), false);
    assert.equal(await button.evaluate((one) => (one.getRootNode() as ShadowRoot).activeElement === one), true);
    await page.evaluate(() => (window as unknown as { Chatbot: { destroy(): void } }).Chatbot.destroy());
    assert.equal(await page.locator("flowise-chatbot").count(), 0);
    await page.close();
  });

  it("fills the page's own element", async () => {
    const agent = await world.createAgent();
    const { platform, site, open } = world;
    const script = embed(
      platform.url,
      { chatflowid: agent, theme: { chatWindow: { height: 500, width: 320 } } },
      "initFull",
    );
    const page = await open(site.add({ script, body: "<flowise-fullchatbot></flowise-fullchatbot>" }));
    await page.getByLabel("Message", { exact: true }).waitFor();
    const box = await page.locator(".full").boundingBox();
    assert.deepEqual([box?.width, box?.height], [320, 500]);
    assert.equal(await page.locator("flowise-fullchatbot").count(), 1);
    await page.close();
  });

  it("says that a private agent is not available, and lets one try again", async () => {
    const { page } = await openBubble(await world.createAgent({ isPublic: false }));
    await page.getByRole("button", { name: "Try again" }).waitFor();
    assert.equal(await page.getByLabel("Message", { exact: true }).count(), 0);
    await page.close();
  });
});
