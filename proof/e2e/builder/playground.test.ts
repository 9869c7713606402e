import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createScriptedOpenAiServer, type ScriptedOpenAiServer } from "@weft/providers/testing";
import type { Page } from "playwright-core";
import { assertAccessibleInBoth } from "./testing/assert-accessible-in-both.ts";
import { type BuilderWorld, startBuilder } from "./testing/open-builder.ts";
import { screenshot } from "./testing/screenshot.ts";
import { draftFlow } from "./testing/stored-agents.ts";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** Another model for the second column. */
async function chooseOther(page: Page): Promise<void> {
  const second = page.getByRole("region", { name: "Model 2" });
  await second.getByRole("button", { name: /^Model and settings/ }).click();
  await second.getByRole("combobox", { name: "Model", exact: true }).fill("other");
  await page.keyboard.press("Escape");
}

describe("the playground", () => {
  let world: BuilderWorld;
  let model: ScriptedOpenAiServer;

  before(async () => {
    model = await createScriptedOpenAiServer({
      script: ({ model: name, messages }) => {
        const brief = String(messages[0]?.content).includes("briefly") ? "Briefly: " : "";
        return name === "other"
          ? { text: `${brief}**Twelve** members.` }
          : { text: `${brief}Seven members.`, delayMs: 300 };
      },
    });
    world = await startBuilder({
      env: { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "sk-test", DEFAULT_MODEL: "scripted" },
    });
  });
  after(async () => {
    await world?.close();
    await model?.close();
  });

  it("asks two models the same, with time and tokens", async () => {
    const page = await world.open("/models");
    await page.getByRole("link", { name: "Compare models" }).click();
    await page.getByRole("textbox", { name: "User message" }).fill("How many make a quorum?");
    await chooseOther(page);
    await page.getByRole("textbox", { name: "User message" }).press("Control+Enter");
    await page.getByRole("region", { name: "Model 1" }).getByText("Seven members.").waitFor();
    const second = page.getByRole("region", { name: "Model 2" });
    await second.getByText("Twelve").waitFor();
    await second.getByText("Fastest").waitFor();
    await second.getByText("15 tokens").waitFor();
    await assertAccessibleInBoth(page, "compared models");
    await screenshot(page, "playground");
    await page.close();
  });

  it("begins with what a step was sent in its last run, and gives the winner back to its draft", async () => {
    const { call } = world.platform;
    const nodes = [
      { id: "start_0", type: "start" },
      {
        id: "llm_0",
        type: "llm",
        label: "Answer",
        config: { messages: [{ role: "system", content: "You answer briefly." }] },
      },
    ];
    const flowData = JSON.stringify({ weft: 1, nodes, edges: [{ id: "e", source: "start_0", target: "llm_0" }] });
    const { id } = await call<{ id: string }>("POST", "/chatflows", { name: "Board", flowData });
    await call("POST", `/prediction/${id}`, { question: "How many make a quorum?" });
    const page = await world.open(`/agents/${id}?step=llm_0`);
    await page.getByRole("tab", { name: "Last run" }).click();
    await page.getByRole("link", { name: "Compare models" }).click();
    await page.getByRole("textbox", { name: "Instructions" }).waitFor();
    assert.equal(await page.getByRole("textbox", { name: "Instructions" }).inputValue(), "You answer briefly.");
    assert.equal(await page.getByRole("textbox", { name: "User message" }).inputValue(), "How many make a quorum?");
    await chooseOther(page);
    await button(page, "Ask").click();
    const second = page.getByRole("region", { name: "Model 2" });
    await second.getByText("Twelve").waitFor();
    await second.getByRole("button", { name: "Use in the draft" }).click();
    await page.waitForURL(/\/agents\/[0-9a-f-]+\?step=llm_0$/);
    const draft = await draftFlow(world.platform, id);
    assert.equal((draft.nodes.find((node) => node.id === "llm_0")?.config.model as { model?: string })?.model, "other");
    await page.close();
  });

  it("says why a model did not answer, and lets the others go on", async () => {
    const page = await world.open("/playground");
    await page.getByRole("textbox", { name: "User message" }).fill("Hello?");
    await button(page, "Add a model").click();
    await page.getByRole("button", { name: "Remove “Model 2”" }).click();
    const second = page.getByRole("region", { name: "Model 2" });
    await chooseOther(page);
    await page.route("**/api/v1/models/answers", async (route) => {
      const body = route.request().postDataJSON() as { model: { model?: string } };
      if (body.model.model === "other") return route.continue();
      return route.abort();
    });
    await button(page, "Ask").click();
    await page.getByRole("region", { name: "Model 1" }).getByRole("alert").waitFor();
    await second.getByText("Twelve").waitFor();
    await page.close();
  });
});
