import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Locator, Page } from "playwright-core";
import { startEmbeddingSite } from "../widget/testing/embedding-site.ts";
import { assertAccessibleInBoth } from "./testing/assert-accessible-in-both.ts";
import { button, flowOf, start, step } from "./testing/canvas-page.ts";
import { type BuilderWorld, type Look, startBuilder } from "./testing/open-builder.ts";
import { screenshot } from "./testing/screenshot.ts";
import { createAgent } from "./testing/stored-agents.ts";

const flow = flowOf(
  [start, step("reply", { config: { message: "Good day" } })],
  [{ source: "start_0", target: "reply" }],
);

describe("the appearance of an agent's chat", () => {
  let world: BuilderWorld;
  let site: Awaited<ReturnType<typeof startEmbeddingSite>>;

  before(async () => {
    world = await startBuilder({ env: { ALLOW_PUBLIC_FLOWS: "true" } });
    site = await startEmbeddingSite(world.platform.url);
  });
  after(async () => {
    await world?.close();
    site?.close();
  });

  async function openAppearance(id: string, look: Look = {}): Promise<Page> {
    const page = await world.open(`/agents/${id}`, look);
    await button(page, "Share").click();
    await page.getByRole("tab", { name: "Appearance" }).click();
    await page.getByTestId("chat-preview").locator(".hero").waitFor();
    return page;
  }

  const previewOf = (page: Page) => page.getByTestId("chat-preview");
  const colourOf = (part: Locator) => part.evaluate((one) => getComputedStyle(one).backgroundColor);
  const settingsOf = async (id: string) => {
    const { chatbotConfig } = await world.platform.call<{ chatbotConfig: string }>("GET", `/chatflows/${id}`);
    return JSON.parse(chatbotConfig) as Record<string, unknown>;
  };

  it("takes six clicks from the canvas to a coloured chat on another website, and the site's code says nothing of it", async () => {
    const id = await createAgent(world.platform, flow, "Reception");
    const page = await world.open(`/agents/${id}`);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    let clicks = 0;
    const click = async (part: Locator) => {
      clicks += 1;
      await part.click();
    };
    await click(button(page, "Share"));
    await click(button(page, "Make public"));
    await click(page.getByRole("tab", { name: "Appearance" }));
    await click(button(page, "Teal"));
    await page.getByLabel("Name", { exact: true }).fill("Front desk");
    await page.getByLabel("Greeting").fill("Welcome to the Harbour Hotel");
    await click(button(page, "Save appearance"));
    await click(button(page, "Copy embed code"));
    assert.equal(clicks, 6);
    await page.waitForFunction(async () => (await navigator.clipboard.readText()).includes("Chatbot.init"));
    const code = await page.evaluate(() => navigator.clipboard.readText());
    assert.doesNotMatch(code, /0f766e|Front desk/);
    const script = code.replace(/<\/?script[^>]*>/g, "");
    const foreign = await world.open("about:blank");
    await foreign.goto(site.add({ script }));
    const bubble = foreign.getByRole("button", { name: "Open chat" });
    const teal = "rgb(15, 118, 110)";
    await foreign.waitForFunction((colour) => {
      const shown = document.querySelector("flowise-chatbot")?.shadowRoot?.querySelector(".bubble");
      return shown && getComputedStyle(shown).backgroundColor === colour;
    }, teal);
    await bubble.click();
    await foreign.getByRole("dialog", { name: "Front desk" }).waitFor();
    await foreign.getByText("Welcome to the Harbour Hotel").waitFor();
    await foreign.getByLabel("Message", { exact: true }).fill("Hello");
    assert.equal(await colourOf(foreign.getByRole("button", { name: "Send" })), teal);
    await foreign.getByLabel("Message", { exact: true }).press("Enter");
    await foreign.getByText("Good day").waitFor();
    assert.equal(await colourOf(foreign.getByRole("group", { name: "You said" })), teal);
    await screenshot(foreign, "widget-coloured");
    await foreign.close();
    await page.close();
  });

  it("is seen while it is edited, on both widths, and kept until it is saved", async () => {
    const id = await createAgent(world.platform, flow, "Reception");
    const page = await openAppearance(id);
    const preview = previewOf(page);
    await page.getByLabel("Name", { exact: true }).fill("<b>Garden</b> help");
    await page.getByLabel("Greeting").fill("What shall we plant?");
    await page.getByLabel("Description").fill("Answers from our handbook.");
    await page.getByText("Emoji", { exact: true }).click();
    await button(page, "🌱").click();
    await button(page, "Green").click();
    await preview.getByRole("heading", { name: "<b>Garden</b> help", includeHidden: true }).waitFor();
    await preview.getByText("What shall we plant?").waitFor();
    assert.equal(await preview.locator(".hero .avatar").textContent(), "🌱");
    await page.getByText("Text on it is white, with a contrast of 5 : 1.").waitFor();
    await assertAccessibleInBoth(page, "the appearance of a chat");
    await screenshot(page, "share-appearance");
    await page.getByText("Conversation", { exact: true }).click();
    await page.getByText("Phone", { exact: true }).click();
    await preview.getByText("every day except Sunday").waitFor();
    assert.equal(await colourOf(preview.locator(".question")), "rgb(21, 128, 61)");
    assert.equal(await preview.evaluate((one) => one.clientWidth), 388);
    await page.getByRole("group", { name: "Colour scheme" }).or(page.getByLabel("Colour scheme")).first().waitFor();
    await screenshot(page, "share-appearance-phone-width");
    await page.keyboard.press("Escape");
    await button(page, "Share").click();
    assert.equal(await page.getByLabel("Greeting").inputValue(), "What shall we plant?");
    await button(page, "Save appearance").click();
    await page.getByText("Saved. Visitors see it").waitFor();
    assert.deepEqual(await settingsOf(id), {
      title: "<b>Garden</b> help",
      welcomeMessage: "What shall we plant?",
      userMessage: { backgroundColor: "#15803d", textColor: "#ffffff" },
      textInput: { sendButtonColor: "#15803d" },
      appearance: { description: "Answers from our handbook.", avatarEmoji: "🌱" },
    });
    await page.close();
  });

  it("takes small pictures without scripts, says why it takes no others, and saves no colour that is none", async () => {
    const id = await createAgent(world.platform, flow, "Reception");
    const page = await openAppearance(id);
    await page.getByText("Picture", { exact: true }).click();
    const choose = (name: string, mimeType: string, bytes: number) =>
      page
        .locator("input[type=file]")
        .last()
        .setInputFiles({ name, mimeType, buffer: Buffer.alloc(bytes, 1) });
    await choose("large.png", "image/png", 5_000_000);
    await page.getByText("This picture is larger than 64 kB.").waitFor();
    await choose("drawing.svg", "image/svg+xml", 100);
    await page.getByText("Choose a PNG, JPEG, WebP or GIF.").waitFor();
    await page.getByLabel("Picture address").fill("javascript:alert(1)");
    await page.getByText("Enter an address that begins with https://").waitFor();
    assert.equal(await button(page, "Save appearance").isDisabled(), true);
    await choose("small.png", "image/png", 100);
    await button(page, "Remove picture").waitFor();
    await page.getByRole("textbox", { name: "Colour", exact: true }).fill("red;background:url(//evil.example)");
    await page.getByText("Enter a colour such as #5b5bd6.").waitFor();
    assert.equal(await button(page, "Save appearance").isDisabled(), true);
    await page.getByRole("textbox", { name: "Colour", exact: true }).fill("");
    await button(page, "Save appearance").click();
    await page.getByText("Saved. Visitors see it").waitFor();
    assert.match(String((await settingsOf(id)).titleAvatarSrc), /^data:image\/png;base64,/);
    await page.close();
  });

  it("shows what another client stored, and drops its colours when asked to", async () => {
    const id = await createAgent(world.platform, flow, "Reception");
    const stored = {
      title: "Old shop",
      backgroundColor: "#202020",
      botMessage: { backgroundColor: "#333333", textColor: "#ffffff" },
      userMessage: { backgroundColor: "#3B81F6", textColor: "#ffffff" },
      starterPrompts: { "0": { prompt: "Prices?" } },
    };
    await world.platform.call("PUT", `/chatflows/${id}`, { chatbotConfig: JSON.stringify(stored) });
    const page = await openAppearance(id, { width: 390, height: 844 });
    assert.equal(await page.getByLabel("Name", { exact: true }).inputValue(), "Old shop");
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(excess <= 0, `${excess} px are wider than the phone`);
    await screenshot(page, "share-appearance-on-a-phone");
    const frame = previewOf(page).locator(".frame");
    assert.equal(await colourOf(frame), "rgb(32, 32, 32)");
    await button(page, "Remove these colours").click();
    await page.waitForFunction(() => {
      const shown = document.querySelector("[data-testid=chat-preview]")?.shadowRoot?.querySelector(".frame");
      return shown && getComputedStyle(shown).backgroundColor === "rgb(255, 255, 255)";
    });
    await button(page, "Save appearance").click();
    await page.getByText("Saved. Visitors see it").waitFor();
    assert.deepEqual(Object.keys(await settingsOf(id)).sort(), ["starterPrompts", "title", "userMessage"]);
    await page.close();
  });
});
