import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { assertAccessibleInBoth } from "./testing/assert-accessible-in-both.ts";
import { at, flowOf, start, step } from "./testing/canvas-page.ts";
import { type BuilderWorld, startBuilder } from "./testing/open-builder.ts";
import { retry } from "./testing/retry.ts";
import { createAgent } from "./testing/stored-agents.ts";

type Run = { state: string; steps: { nodeId: string; output: unknown }[] };

const row = (page: Page, agent: string) => page.getByRole("listitem", { name: agent });
const inboxLink = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Main" }).getByRole("link", { name, exact: true });
const focusedName = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? "");

describe("the inbox", () => {
  let world: BuilderWorld;

  before(async () => {
    world = await startBuilder();
  });
  after(() => world?.close());

  /** A run that asks; its id. */
  async function asks(name: string, config: object): Promise<string> {
    const nodes = [
      start,
      { id: "ask_0", type: "human-input", label: "Ask", ...at(344, 0), config },
      step("end", { ...at(688, 0), config: { message: "Done" } }),
    ];
    const edges = [
      { source: "start_0", target: "ask_0" },
      { source: "ask_0", sourcePort: "proceed", target: "end" },
    ];
    const id = await createAgent(world.platform, flowOf(nodes, edges), name);
    const question = `A message to ${name}`;
    const { executionId } = await world.platform.call<{ executionId: string }>("POST", `/prediction/${id}`, {
      question,
    });
    return executionId;
  }

  const runOf = (id: string) => world.platform.call<Run>("GET", `/executions/${id}`);
  const finishes = (id: string) => retry(async () => assert.equal((await runOf(id)).state, "FINISHED"));
  const cancel = (id: string) => world.platform.call("POST", `/executions/${id}/cancel`);

  it("shows what will be there while nothing waits", async () => {
    const page = await world.open("/inbox");
    await page.getByRole("heading", { name: "Nothing waits for an answer" }).waitFor();
    await inboxLink(page, "Inbox").waitFor();
    await assertAccessibleInBoth(page, "inbox empty");
    await page.close();
  });

  it("counts a question, takes the answer by keyboard, and the run goes on", async () => {
    const first = await asks("Mailer", { question: "Send **all** of it?" });
    const second = await asks("Later", { question: "And this?" });
    const page = await world.open("/inbox");
    await inboxLink(page, "Inbox 2 runs wait for an answer").waitFor();
    const mailer = row(page, "Mailer");
    await mailer.locator("strong", { hasText: "all" }).waitFor();
    await mailer.getByText("Started with: A message to Mailer").waitFor();
    assert.match((await mailer.textContent()) ?? "", /Builder chat · Session \S+ · Asked just now/);
    await assertAccessibleInBoth(page, "inbox");

    await row(page, "Later").focus();
    const tabTo = async (name: string) => {
      for (let presses = 0; (await focusedName(page)) !== name; presses += 1) {
        assert.ok(presses < 12, `${name} is not reached by Tab`);
        await page.keyboard.press("Tab");
      }
    };
    await tabTo("View run of Mailer");
    await tabTo("Add a comment (optional)");
    await page.keyboard.type("Fine by me");
    await tabTo("Proceed");
    await page.keyboard.press("Enter");
    await page.getByRole("status").getByText("Answered: Proceed. The run continues.").waitFor();
    await inboxLink(page, "Inbox 1 run waits for an answer").waitFor();
    await retry(async () => assert.match(await focusedName(page), /^Later/, "the focus is at the next question"));
    await finishes(first);
    assert.match(JSON.stringify((await runOf(first)).steps), /Fine by me/);
    await mailer.waitFor({ state: "detached" });
    await row(page, "Later").getByRole("link", { name: "View run of Later" }).click();
    await page.waitForURL(`**/executions/${second}`);
    await page.goBack();
    await row(page, "Later").getByRole("button", { name: "Reject" }).click();
    await page.getByRole("heading", { name: "Nothing waits for an answer" }).waitFor({ timeout: 90_000 });
    await inboxLink(page, "Inbox").waitFor();
    await page.close();
  });

  it("takes text and options, and keeps what was typed when an answer could not be sent", async () => {
    const texts = await asks("Texts", { question: "Which number?", answer: "text" });
    const options = [{ label: "Red" }, { label: "Blue" }];
    const choice = await asks("Choice", { question: "Which one?", answer: "choice", options });
    const page = await world.open("/inbox", { width: 390, height: 800 });
    const field = row(page, "Texts").getByRole("textbox", { name: "Your answer" });
    await field.fill("0170 123");
    await page.route("**/answer", (route) => route.abort());
    await row(page, "Texts").getByRole("button", { name: "Answer" }).click();
    await row(page, "Texts").getByRole("alert").getByText("Cannot reach the server").waitFor();
    assert.equal(await field.inputValue(), "0170 123");
    const excess = await page.evaluate(() => {
      const { scrollWidth = 0, clientWidth = 0 } = document.querySelector("main") ?? {};
      return scrollWidth - clientWidth;
    });
    assert.equal(excess, 0, "fits a phone");
    await assertAccessibleInBoth(page, "inbox on a phone");
    await page.unroute("**/answer");
    await row(page, "Texts").getByRole("button", { name: "Answer" }).click();
    await row(page, "Choice").getByRole("button", { name: "Blue" }).click();
    await row(page, "Choice").getByText("Answered: Blue. The run continues.").waitFor();
    await Promise.all([finishes(texts), finishes(choice)]);
    assert.match(JSON.stringify((await runOf(texts)).steps), /0170 123/);
    await page.close();
  });

  it("says that somebody else was faster, to who answers late and to who only looks", async () => {
    const id = await asks("Twice", { question: "Once only?" });
    const [page, late] = [await world.open("/inbox"), await world.open("/inbox")];
    await row(late, "Twice").getByLabel("Add a comment (optional)").fill("Mine");
    // It hears of nothing any more.
    await late.route("**/executions/waiting**", () => undefined);
    const watching = await world.open("/inbox");
    await row(watching, "Twice").waitFor();
    // What became of it is shown for seconds, so both pages are looked at while it happens.
    const isTold = async (who: Page, words: string) => {
      await row(who, "Twice").getByText(words).waitFor();
      await row(who, "Twice").waitFor({ state: "detached" });
    };
    const answersLate = async () => {
      await finishes(id);
      await row(late, "Twice").getByRole("button", { name: "Reject" }).click();
      await isTold(late, "Someone else answered first");
    };
    await Promise.all([
      row(page, "Twice").getByRole("button", { name: "Proceed" }).click(),
      isTold(watching, "Someone else answered this question"),
      answersLate(),
    ]);
    await Promise.all([page, late, watching].map((each) => each.close()));
  });

  it("says that the server cannot be reached, and goes on when it can", async () => {
    const id = await asks("Patient", { question: "Still there?" });
    const page = await world.open("/agents");
    await inboxLink(page, "Inbox 1 run waits for an answer").waitFor();
    await page.route("**/executions/waiting**", (route) => route.abort());
    await inboxLink(page, "Inbox 1 run waits for an answer").click();
    await page.getByRole("alert").getByText("Cannot reach the server").waitFor();
    await page.unroute("**/executions/waiting**");
    await page.getByRole("button", { name: "Try again" }).click();
    await row(page, "Patient").waitFor();
    await cancel(id);
    await page.close();
  });
});
