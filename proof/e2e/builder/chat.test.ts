import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import type { ScriptStep } from "../../../packages/providers/src/testing/index.ts";
import { openBrowser } from "../testing/open-browser.ts";
import { type ScriptedPlatform, startScriptedPlatform } from "../testing/scripted-platform.ts";
import { signIn } from "../testing/sign-in.ts";
import { assertAccessible } from "./testing/assert-accessible.ts";
import { answerIn, answerText, ask, lastAnswer, openPage, said } from "./testing/chat-page.ts";

type Row = Record<string, unknown>;

const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** What the scripted model answers, by a word of the last message. */
const answers: Record<string, ScriptStep> = {
  xss: {
    text: '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>\n\n[click](javascript:window.hacked=1) ![dot](https://example.com/x.png)',
  },
  code: { text: "```js\nconst a = 1;\n```\n\n[site](https://example.com)" },
  broken: { status: 401, body: { error: { message: "Incorrect API key provided" } } },
};

describe("the chat of the builder", () => {
  let server: ScriptedPlatform;
  let browser: Browser;
  let context: BrowserContext;
  let isRepaired = false;

  before(async () => {
    server = await startScriptedPlatform(({ messages, tools = [] }) => {
      const last = messages.at(-1);
      const text = JSON.stringify(last?.content ?? "");
      if (last?.role === "user" && tools.length > 0) {
        const call = (expression: string) => ({ name: "calculator", arguments: { expression } });
        return { toolCalls: [call("6*7"), call("1/0 +")] };
      }
      if (text.includes("broken") && isRepaired) return { text: "Repaired." };
      return Object.entries(answers).find(([word]) => text.includes(word))?.[1] ?? { text: "Done." };
    });
    browser = await openBrowser();
    context = await signIn(browser, server.platform);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  });

  after(async () => {
    await browser?.close();
    await server?.close();
  });

  const chatWith = async (agentId: string) => openPage(context, `/agents/${agentId}/chat`);
  const call = <T>(path: string) => server.platform.call<T>("GET", path);

  it("unfolds tool calls with arguments, result and duration, in stored chats, too", async () => {
    const agentId = await server.createAgent({
      type: "agent",
      config: { tools: [{ type: "calculator", config: {} }] },
    });
    const page = await chatWith(agentId);
    await ask(page, "What is it?");
    await answerIn(page, "finished");
    for (const round of ["live", "stored"]) {
      const calls = page.getByRole("list", { name: "2 tool calls" }).getByRole("listitem");
      await calls
        .first()
        .getByRole("button", { name: /calculator/ })
        .click();
      await calls.first().getByText("42", { exact: true }).waitFor();
      await calls
        .first()
        .getByText(/^(\d+ ms|\d+\.\d+ s)$/)
        .waitFor();
      assert.match(
        (await calls.first().getByRole("group", { name: "Arguments" }).textContent()) ?? "",
        /"expression": "6\*7"/,
        round,
      );
      await calls.last().getByRole("img", { name: "Failed" }).waitFor();
      await assertAccessible(page, `tool calls, ${round}`);
      await page.reload();
    }
    await page.close();
  });

  it("shows what a model writes as text, never as markup, and fetches nothing for it", async () => {
    const page = await chatWith(await server.createAgent({ type: "llm" }));
    const elsewhere: string[] = [];
    page.on("request", (request) => {
      if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(server.platform.url))
        elsewhere.push(request.url());
    });
    await ask(page, "xss");
    await answerIn(page, "finished");
    await answerText(page).getByText('<img src=x onerror="window.hacked=1">').waitFor();
    assert.equal(await answerText(page).locator("img, script").count(), 0);
    assert.equal(await page.evaluate(() => "hacked" in window), false);
    const links = await answerText(page)
      .locator("a")
      .evaluateAll((all) => all.map((it) => [it.textContent, it.getAttribute("href"), it.getAttribute("rel")]));
    assert.deepEqual(links, [
      ["click", "", "noopener noreferrer"],
      ["dot", "https://example.com/x.png", "noopener noreferrer"],
    ]);
    assert.deepEqual(elsewhere, []);
    await page.close();
  });

  it("copies code", async () => {
    const page = await chatWith(await server.createAgent({ type: "llm" }));
    await ask(page, "code");
    await answerIn(page, "finished");
    // It is said for a second, which whoever looks in now and then may miss.
    const copied = page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const look = () => document.querySelector("button[aria-label=Copied]") !== null && resolve();
          new MutationObserver(look).observe(document.body, { subtree: true, attributes: true });
        }),
    );
    await page.getByRole("button", { name: "Copy code" }).click();
    await copied;
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "const a = 1;");
    await page.close();
  });

  it("takes the answer that a run waits for, with words, also after a reload", async () => {
    const config = { question: "May I **send** it?", proceedLabel: "Send it", rejectLabel: "Keep it" };
    const agentId = await server.createAgent({ type: "human-input", config });
    const page = await chatWith(agentId);
    await ask(page, "Go");
    await answerIn(page, "waiting");
    assert.equal(await answerText(page).locator("strong").textContent(), "send");
    await assertAccessible(page, "a question to a person");
    await page.reload();
    await page.getByLabel("Add a comment (optional)").fill("With a stamp");
    await page.getByRole("button", { name: "Send it" }).click();
    await page.getByText("With a stamp").first().waitFor();
    await answerIn(page, "finished");
    assert.equal(await page.getByRole("button", { name: "Send it" }).count(), 0);
    const { data } = await call<{ data: { id: string; state: string }[] }>(`/executions?agentflowId=${agentId}`);
    assert.deepEqual(
      data.map(({ state }) => state),
      ["FINISHED"],
    );
    const { steps } = await call<{ steps: { input: Row }[] }>(`/executions/${data[0]?.id}`);
    assert.deepEqual(steps[1]?.input, { type: "proceed", feedback: "With a stamp" });

    await ask(page, "Go again");
    await answerIn(page, "waiting");
    await page.getByRole("button", { name: "Keep it" }).click();
    await answerIn(page, "finished");
    await page.close();
  });

  it("stores feedback with a comment, and shows it again", async () => {
    const agentId = await server.createAgent({ type: "llm" });
    const page = await chatWith(agentId);
    await ask(page, "Hi");
    await answerIn(page, "finished");
    await page.getByRole("button", { name: "Bad answer" }).click();
    await page.getByLabel("What was good or bad about it?").fill("Too short");
    await page.getByRole("button", { name: "Save comment" }).click();
    await page.getByText("Your feedback is saved.").waitFor();
    const feedback = await call<Row[]>(`/feedback/${agentId}`);
    assert.deepEqual(
      feedback.map(({ rating, content }) => [rating, content]),
      [["THUMBS_DOWN", "Too short"]],
    );
    await page.reload();
    await page.locator('button[aria-label="Bad answer"][aria-pressed="true"]').waitFor();
    await page.close();
  });

  it("sends pictures and documents that are chosen, pasted and dropped, and refuses others with the reason", async () => {
    const chatbotConfig = JSON.stringify({ fullFileUpload: { status: true, allowedUploadFileTypes: "text/plain" } });
    const agentId = await server.createAgent({ type: "llm", chatbotConfig });
    const page = await chatWith(agentId);
    const chosen = [
      { name: "dot.png", mimeType: "image/png", buffer: pixel },
      { name: "note.txt", mimeType: "text/plain", buffer: Buffer.from("The code is 7.") },
      { name: "song.mp3", mimeType: "audio/mpeg", buffer: Buffer.from("x") },
    ];
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Attach files" }).click();
    await (await chooser).setFiles(chosen);
    await page.getByText("song.mp3 was not added: this agent accepts only text/plain.").waitFor();
    await transfer(page, "paste", "pasted.png");
    await transfer(page, "drop", "dropped.png");
    await page.getByRole("button", { name: "Remove dropped.png" }).click();
    await ask(page, "What is this?");
    await answerIn(page, "finished");
    await page.getByRole("img", { name: "Image dot.png" }).waitFor();

    const request = server.model.requests.at(-1);
    const parts = request?.body.messages.at(-1)?.content as { type: string; text?: string }[];
    assert.deepEqual(
      parts.map(({ type }) => type),
      ["text", "image_url", "image_url"],
    );
    assert.match(parts[0]?.text ?? "", /The code is 7\./);
    await page.reload();
    const picture = page.getByRole("img", { name: "Image dot.png" });
    await picture.waitFor();
    const width = await picture.evaluate(async (it) => {
      const image = it as HTMLImageElement;
      await image.decode();
      return image.naturalWidth;
    });
    assert.equal(width, 1);
    await page.getByText("note.txt").waitFor();
    await page.close();
  });

  it("says why there is no answer, and goes on from the failed step", async () => {
    isRepaired = false;
    const page = await chatWith(await server.createAgent({ type: "llm" }));
    await ask(page, "broken");
    await answerIn(page, "failed");
    await lastAnswer(page)
      .getByText(/rejected the API key/)
      .waitFor();
    await assertAccessible(page, "a failed answer");
    await page.reload();
    await lastAnswer(page)
      .getByText(/rejected the API key/)
      .waitFor();
    isRepaired = true;
    await page.getByRole("button", { name: "Retry from the failed step" }).click();
    await said(page, "Repaired.");
    await answerIn(page, "finished");
    await page.reload();
    await said(page, "Repaired.");
    assert.equal(await page.getByRole("article", { name: "Agent" }).count(), 1);
    await page.close();
  });

  it("says when a message that was refused may be sent again, and sends it", async () => {
    const page = await chatWith(await server.createAgent({ type: "llm" }));
    const body = JSON.stringify({
      code: "at-capacity",
      message: "Too many runs at once.",
      retryable: true,
      errors: [],
    });
    const headers = { "retry-after": "2", "content-type": "application/json" };
    await page.route("**/internal-prediction/**", (route) => route.fulfill({ status: 503, headers, body }), {
      times: 1,
    });
    const now = Date.now();
    await page.clock.setFixedTime(now);
    await page.reload();
    await ask(page, "Hi");
    await lastAnswer(page).getByText("Too many runs at once.").waitFor();
    await page.getByRole("button", { name: "Try again in 2 s", disabled: true }).waitFor();
    await page.clock.setFixedTime(now + 2_000);
    await page.getByRole("button", { name: "Try again", exact: true }).click();
    await said(page, "Done.");
    await page.close();
  });

  it("keeps a message that was typed while the server could not be reached, and sends it then", async () => {
    const agentId = await server.createAgent({ type: "llm" });
    for (const path of [`/agents/${agentId}/chat`, `/agents/${agentId}?chat=true`]) {
      const page = await openPage(context, path);
      await page.getByRole("button", { name: "Send message" }).waitFor();
      await page.route("**/api/**", (route) => route.abort());
      await page.getByRole("textbox", { name: "Message" }).fill("Is anybody there?");
      await page.keyboard.press("Enter");
      await answerIn(page, "failed");
      await page.getByRole("log").getByText("Is anybody there?").waitFor();
      await page.unroute("**/api/**");
      await lastAnswer(page).getByRole("button", { name: "Try again" }).click();
      await answerIn(page, "finished");
      await page.getByRole("log").getByText("Is anybody there?").waitFor();
      await page.close();
    }
  });

  it("begins new chats and finds earlier ones", async () => {
    const page = await chatWith(await server.createAgent({ type: "llm" }));
    await ask(page, "The first chat");
    await answerIn(page, "finished");
    await page.getByRole("button", { name: "New chat" }).click();
    await page.getByText("Try your agent").waitFor();
    await ask(page, "The second chat");
    await answerIn(page, "finished");
    await page.getByRole("button", { name: "Earlier chats" }).click();
    await page.getByRole("button", { name: /^The first chat/ }).click();
    await page.getByRole("log").getByText("The first chat").waitFor();
    assert.equal(await page.getByRole("log").getByText("The second chat").count(), 0);
    await page.close();
  });

  it("asks for the form of an agent that takes one", async () => {
    const fields = [
      { name: "who", label: "Name", required: true },
      { name: "guests", type: "number", default: 2 },
    ];
    const start = { input: "form", form: { title: "Book a table", fields } };
    const agentId = await server.createAgent({
      type: "direct-reply",
      start,
      config: { message: "{{ $form.guests }} for {{ $form.who }}" },
    });
    const page = await chatWith(agentId);
    await page.getByRole("heading", { name: "Book a table" }).waitFor();
    await assertAccessible(page, "a form");
    await page.getByRole("button", { name: "Start" }).click();
    await page.getByText("Fill in this field.").waitFor();
    await page.getByLabel("Name").fill("Ada");
    await page.getByRole("button", { name: "Start" }).click();
    await said(page, "2 for Ada");
    await page.getByRole("button", { name: "Fill in the form again" }).click();
    await page.getByLabel("Name").waitFor();
    await page.close();
  });

  it("sends a suggested message, and says where the rehearsal model answers", async () => {
    const chatbotConfig = JSON.stringify({ starterPrompts: { 0: { prompt: "What can you do?" } } });
    const config = { model: { provider: "rehearsal" } };
    const page = await chatWith(await server.createAgent({ type: "llm", config, chatbotConfig }));
    await page.getByText("Rehearsal model", { exact: true }).waitFor();
    await page.getByRole("button", { name: "What can you do?" }).click();
    await answerIn(page, "finished");
    assert.match((await answerText(page).textContent()) ?? "", /rehearsal model: rules, not an AI/);
    await page.close();
  });
});

/** Gives the page a picture as a paste into the message does, or a drop onto the chat. */
async function transfer(page: Page, kind: "paste" | "drop", name: string): Promise<void> {
  const input = page.getByRole("textbox", { name: "Message" });
  await input.evaluate(
    (element, { type, fileName, bytes }) => {
      const files = new DataTransfer();
      files.items.add(new File([new Uint8Array(bytes)], fileName, { type: "image/png" }));
      const shared = { bubbles: true, cancelable: true };
      if (type === "paste") element.dispatchEvent(new ClipboardEvent("paste", { ...shared, clipboardData: files }));
      else
        for (const each of ["dragenter", "dragover", "drop"])
          element.dispatchEvent(new DragEvent(each, { ...shared, dataTransfer: files }));
    },
    { type: kind, fileName: name, bytes: [...pixel] },
  );
  await page.getByRole("button", { name: `Remove ${name}` }).waitFor();
}
