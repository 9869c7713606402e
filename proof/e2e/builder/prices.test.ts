import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser, BrowserContext } from "playwright-core";
import { openBrowser } from "../testing/open-browser.ts";
import { type ScriptedPlatform, startScriptedPlatform } from "../testing/scripted-platform.ts";
import { signIn } from "../testing/sign-in.ts";
import { lookAt } from "./testing/look-at.ts";

const usage = { prompt_tokens: 1_000_000, completion_tokens: 1_000_000, total_tokens: 2_000_000 };

describe("the page Prices", () => {
  let server: ScriptedPlatform;
  let browser: Browser;
  let context: BrowserContext;

  before(async () => {
    server = await startScriptedPlatform(() => ({ text: "Hello", usage }));
    browser = await openBrowser();
    context = await signIn(browser, server.platform, { viewport: { width: 1_280, height: 900 } });
  });

  after(async () => {
    await browser?.close();
    await server?.close();
  });

  it("shows the models that runs called, and runs cost what is set here from then on", async () => {
    const agentId = await server.createAgent({ type: "llm" });
    const { call } = server.platform;
    const costOfRun = async () => {
      const { executionId } = await call<{ executionId: string }>("POST", `/prediction/${agentId}`, { question: "Hi" });
      return (await call<{ costDollars: number | null }>("GET", `/executions/${executionId}`)).costDollars;
    };
    assert.equal(await costOfRun(), null);
    const page = await context.newPage();
    await page.goto("/models");
    await page.getByRole("link", { name: "Prices" }).click();
    await page.getByText(/^[\d,]+ models, as of \d{4}-\d\d-\d\d\./).waitFor();
    await page.getByRole("link", { name: /genai-prices/ }).waitFor();
    const row = page.getByRole("row").filter({ hasText: "openai-compatible/scripted" });
    await row.getByText("No price").waitFor();
    await lookAt(page, "prices");
    await page.setViewportSize({ width: 1_280, height: 900 });

    const ends = await page
      .getByRole("columnheader", { name: /^(Input|Output)$/ })
      .evaluateAll((heads) => heads.map((head) => getComputedStyle(head).textAlign));
    assert.deepEqual(ends, ["end", "end"], "as the figures below");

    const change = async () => {
      await row.getByRole("button", { name: /^Actions of/ }).click();
      await page.getByRole("menuitem", { name: "Change price" }).click();
    };
    await change();
    const dialog = page.getByRole("dialog", { name: "Price of openai-compatible/scripted" });
    const [input, output] = [dialog.getByLabel(/^Input/), dialog.getByLabel(/^Output/)];
    await output.fill("8");
    for (const wrong of ["-1", "two dollars", "1e3", "2000000"]) {
      await input.fill(wrong);
      await dialog.getByText(/^Enter a number of dollars/).waitFor();
      assert.ok(await dialog.getByRole("button", { name: "Save" }).isDisabled(), wrong);
    }
    await input.fill("2,5");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    await row.getByText("$2.50").waitFor();
    await row.getByText("Set here").waitFor();
    assert.equal(await costOfRun(), 10.5);

    await row.getByRole("button", { name: /^Actions of/ }).click();
    await page.getByRole("menuitem", { name: "Remove custom price" }).click();
    await row.getByText("No price").waitFor();
    assert.equal(await costOfRun(), null);
    await page.close();
  });

  it("takes the price of a model that nobody knows yet, and says so", async () => {
    const page = await context.newPage();
    await page.goto("/prices");
    await page.getByRole("button", { name: "Set a price" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Set the price of a model" });
    const model = dialog.getByLabel("Model");
    await model.fill("just-a-name");
    await dialog.getByLabel(/^Input/).fill("1");
    await dialog.getByText(/^Enter provider and name/).waitFor();
    await model.fill("openai/gpt-4o-mini");
    await dialog.getByText("The price list says $0.15 for input and $0.60 for output.").waitFor();
    await model.fill("vllm/our-model");
    await dialog.getByText(/^Neither the price list nor a run knows this model/).waitFor();
    await dialog.getByLabel(/^Input/).fill("0");
    await dialog.getByLabel(/^Output/).fill("0");
    await dialog.getByRole("button", { name: "Save" }).click();
    const row = page.getByRole("row").filter({ hasText: "vllm/our-model" });
    await row.getByText("$0.00").first().waitFor();
    await page.getByLabel("Search models").fill("nothing like it");
    await page.getByText("No results for “nothing like it”.").waitFor();
    await page.close();
  });

  it("shows why a price was not set", async () => {
    const page = await context.newPage();
    await page.route("**/api/v1/prices", async (route) => {
      if (route.request().method() !== "PUT") return route.continue();
      return route.fulfill({
        status: 403,
        contentType: "application/json",
        body: JSON.stringify({
          statusCode: 403,
          message: "This needs the permission credentials:write.",
          code: "forbidden",
          errors: [],
        }),
      });
    });
    await page.goto("/prices");
    await page.getByRole("button", { name: "Set a price" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Model").fill("a/b");
    await dialog.getByLabel(/^Input/).fill("1");
    await dialog.getByLabel(/^Output/).fill("1");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("This needs the permission credentials:write.").waitFor();
    await page.close();
  });
});
