import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { assertAccessible } from "./testing/assert-accessible.ts";
import { type BuilderWorld, startBuilder } from "./testing/open-builder.ts";
import { screenshot } from "./testing/screenshot.ts";

const run = promisify(execFile);
const flowData = JSON.stringify({
  weft: 1,
  nodes: [
    { id: "start_0", type: "start" },
    { id: "llm_0", type: "llm" },
  ],
  edges: [{ id: "e", source: "start_0", target: "llm_0" }],
});

/** How each example is run; what it prints must hold the answer of the rehearsal model. */
const programs = {
  curl: (text: string) => run("bash", ["-c", text.replace(/^curl /, "curl -sS ")]),
  TypeScript: (text: string) => run(process.execPath, ["--input-type=module-typescript", "-e", text]),
  Python: (text: string) => run("python3", ["-c", text]),
} as const;

describe("the API access page", () => {
  let world: BuilderWorld;
  let agentId: string;

  before(async () => {
    world = await startBuilder();
    const agent = { name: "Reception", flowData };
    agentId = (await world.platform.call<{ id: string }>("POST", "/chatflows", agent)).id;
  });
  after(() => world?.close());

  const example = async (page: Page) => (await page.locator("pre[data-language]").textContent()) ?? "";

  it("makes a key on a click, and its examples run as they are", { timeout: 120_000 }, async () => {
    const page = await world.open(`/agents/${agentId}/api`);
    await page.getByRole("heading", { name: "API access: Reception" }).waitFor();
    assert.match(await example(page), /YOUR_API_KEY/);
    assert.deepEqual(await world.platform.call("GET", "/apikey"), []);
    await page.getByRole("button", { name: "Create a key for these examples" }).click();
    const key = (await page.getByText(/^wk_/).textContent()) ?? "";
    const [stored] = await world.platform.call<{ keyName: string; permissions: string[] }[]>("GET", "/apikey");
    assert.equal(stored?.keyName, "Reception API");
    assert.ok(stored.permissions.every((permission) => !permission.endsWith(":read")));
    for (const usage of ["Ask", "Stream", "OpenAI"]) {
      await page.getByRole("tab", { name: usage }).click();
      for (const [language, program] of Object.entries(programs)) {
        await page.getByRole("radiogroup", { name: "Language" }).getByText(language).click();
        const text = await example(page);
        assert.ok(text.includes(key));
        const { stdout } = await program(text);
        // A stream of curl has the answer in pieces.
        assert.match(stdout, /rehearsal/i, `${usage}, ${language}: ${stdout}`);
      }
    }
    await page.getByRole("tab", { name: "MCP" }).click();
    const { mcpServers } = JSON.parse(await example(page)) as Record<string, { weft: { url: string } }>;
    assert.equal(mcpServers?.weft.url, `${world.platform.url}/api/v1/mcp/${agentId}`);
    await page.reload();
    await page.getByRole("button", { name: "Create a key for these examples" }).waitFor();
    assert.doesNotMatch(await page.content(), new RegExp(key));
  });

  it("is accessible, and fits into narrow windows", async () => {
    for (const colours of ["light", "dark"] as const) {
      const page = await world.open(`/agents/${agentId}/api`, { colours, width: colours === "dark" ? 768 : 1280 });
      await page.getByRole("button", { name: "Create a key for these examples" }).click();
      await page.getByText(/^wk_/).waitFor();
      await assertAccessible(page, `API access, ${colours}`);
      await screenshot(page, `agent-api-${colours}`);
      const isWide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
      assert.equal(isWide, false);
    }
  });

  it("says so when the agent is not there", async () => {
    const page = await world.open("/agents/00000000-0000-4000-8000-000000000000/api");
    await page.getByRole("alert").waitFor();
  });
});
