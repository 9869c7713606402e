// @process browser: a document in place of globals of Node.
import "../testing/browser.ts";
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { startBreakableLine } from "../../../../proof/e2e/testing/breakable-line.ts";
import { type ScriptedPlatform, startScriptedPlatform } from "../../../../proof/e2e/testing/scripted-platform.ts";
import { visit } from "../testing/browser.ts";
import { renderApp } from "../testing/render-app.tsx";
import { ChatPanel } from "./chat-panel.tsx";

const timeout = 10_000;

describe("the chat", () => {
  let server: ScriptedPlatform;
  let isRepaired = false;

  before(async () => {
    server = await startScriptedPlatform(({ messages }) => {
      const text = JSON.stringify(messages.at(-1)?.content ?? "");
      if (text.includes("story")) return { hang: true, afterText: "Once upon a *time*" };
      if (text.includes("Slowly")) return { text: "One, two.", delayMs: 700 };
      if (text.includes("broken") && !isRepaired)
        return { status: 401, body: { error: { message: "Incorrect API key provided" } } };
      return { text: text.includes("broken") ? "Repaired." : "Done." };
    });
    const later = Date.now() + 3_600_000;
    localStorage.setItem("weft.session", JSON.stringify({ expiresAtMs: later, renewAtMs: later }));
  });
  beforeEach(() => {
    sessionStorage.clear();
    visit(server.platform.url, server.platform.token);
  });
  after(() => server.close());

  const message = () => screen.findByRole("textbox", { name: "Message" }, { timeout });
  /** Waits until the last answer is in this state, and is this text if one is given. */
  const answer = (state: string, text?: string) =>
    waitFor(
      () => {
        const last = screen.getAllByRole("article", { name: "Agent" }).at(-1);
        assert.ok(last);
        assert.equal(last.dataset.state, state);
        if (text !== undefined) assert.equal(within(last).getByTestId("answer-text").textContent?.trim(), text);
        return last;
      },
      { timeout },
    );

  it("shows words as they come, and stops", async (t) => {
    const user = renderApp(t, <ChatPanel agentId={await server.createAgent({ type: "llm" })} />);
    await user.type(await message(), "Tell me a story{Enter}");
    assert.ok(screen.getByText("Tell me a story"));
    const streaming = await answer("writing", "Once upon a time");
    assert.equal(streaming.querySelector("em")?.textContent, "time");
    assert.ok(screen.queryByRole("button", { name: "Send message" }) === null);
    await user.click(screen.getByRole("button", { name: "Stop generating" }));
    within(await answer("stopped")).getByText("Stopped");
    assert.ok(screen.getByRole("button", { name: "Send message" }));
  });

  it("says why there is no answer, and asks again", async (t) => {
    const user = renderApp(t, <ChatPanel agentId={await server.createAgent({ type: "llm" })} />);
    await user.type(await message(), "broken{Enter}");
    const failed = within(await answer("failed"));
    assert.match(failed.getByRole("alert").textContent ?? "", /Run failed.*Retry/);
    isRepaired = true;
    await user.click(failed.getByRole("button", { name: "Retry from the failed step" }));
    await answer("finished", "Repaired.");
    assert.ok(screen.queryByRole("alert") === null);
  });

  it("takes the answer that a run waits for, with words", async (t) => {
    const config = { question: "May I **send** it?", proceedLabel: "Send it", rejectLabel: "Keep it" };
    const agentId = await server.createAgent({ type: "human-input", config });
    const user = renderApp(t, <ChatPanel agentId={agentId} />);
    await user.type(await message(), "Go{Enter}");
    const asked = within(await answer("waiting", "May I send it?"));
    await user.type(asked.getByLabelText("Add a comment (optional)"), "With a stamp");
    await user.click(asked.getByRole("button", { name: "Send it" }));
    await answer("finished");
    assert.equal(screen.getAllByText("With a stamp").length, 2);
    assert.ok(screen.queryByRole("button", { name: "Keep it" }) === null);
  });

  it("offers the options of a question, and takes other words where it may", async (t) => {
    const config = { question: "Which one?", answer: "choice", options: [{ label: "Red" }, { label: "Blue" }] };
    const agentId = await server.createAgent({ type: "human-input", config: { ...config, otherAnswers: true } });
    const user = renderApp(t, <ChatPanel agentId={agentId} />);
    await user.type(await message(), "Go{Enter}");
    const asked = within(await answer("waiting", "Which one?"));
    assert.equal((asked.getByRole("button", { name: "Answer" }) as HTMLButtonElement).disabled, true);
    await user.type(asked.getByLabelText("Your answer"), "Green, please");
    await user.click(asked.getByRole("button", { name: "Answer" }));
    await answer("finished", "Green, please");
    await user.type(await message(), "Again{Enter}");
    await user.click(within(await answer("waiting")).getByRole("button", { name: "Blue" }));
    await answer("finished", "Blue");
    assert.ok(screen.queryByRole("button", { name: "Red" }) === null);
  });

  it("goes on reading where a broken connection left it", async (t) => {
    const line = await startBreakableLine(server.platform.port);
    t.after(line.close);
    visit(line.url, server.platform.token);
    const user = renderApp(t, <ChatPanel agentId={await server.createAgent({ type: "llm" })} />);
    await user.type(await message(), "Slowly{Enter}");
    await answer("writing");
    line.cut();
    // It comes on a connection made since then, and is said once.
    await answer("finished", "One, two.");
  });

  it("shows a chat again that another tab of it left, while its answer is written", async (t) => {
    const agentId = await server.createAgent({ type: "llm" });
    const before = renderApp(t, <ChatPanel key="before" agentId={agentId} />);
    await before.type(await message(), "A story that lasts{Enter}");
    await answer("writing", "Once upon a time");
    cleanup();
    const user = renderApp(t, <ChatPanel key="after" agentId={agentId} />);
    await answer("writing", "Once upon a time");
    assert.equal(screen.getAllByText("A story that lasts").length, 1);
    await user.click(screen.getByRole("button", { name: "Stop generating" }));
    await answer("stopped");
  });

  it("attaches files of the kinds that the agent takes, and says why it leaves out others", async (t) => {
    const chatbotConfig = JSON.stringify({ fullFileUpload: { status: true, allowedUploadFileTypes: "text/plain" } });
    const agentId = await server.createAgent({ type: "llm", chatbotConfig });
    const user = renderApp(t, <ChatPanel agentId={agentId} />);
    await screen.findByRole("button", { name: "Attach files" }, { timeout });
    const input = document.querySelector("input[type=file]") as HTMLInputElement;
    const files = [
      new File(["Hello"], "notes.txt", { type: "text/plain" }),
      new File(["x"], "tool.exe", { type: "application/x-msdownload" }),
    ];
    await user.upload(input, files);
    assert.ok(await screen.findByText("notes.txt"));
    assert.match(
      screen.getByRole("alert").textContent ?? "",
      /tool\.exe was not added: this agent accepts only text\/plain/,
    );
    await user.type(await message(), "Read this{Enter}");
    await answer("finished");
    assert.equal(JSON.stringify(server.model.requests.at(-1)).includes("Hello"), true);
  });
});
