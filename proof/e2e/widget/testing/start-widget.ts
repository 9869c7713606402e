import assert from "node:assert/strict";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import {
  type PlatformProcess,
  startPlatformProcess,
} from "../../../../packages/server/src/testing/platform-process.ts";
import { openBrowser } from "../../testing/open-browser.ts";
import { startPacedModel } from "../../testing/paced-model.ts";
import { startEmbeddingSite } from "./embedding-site.ts";

type Model = Awaited<ReturnType<typeof startPacedModel>>;
type Site = Awaited<ReturnType<typeof startEmbeddingSite>>;

/** The real server with a model that writes when the test says so, a website of another origin, and a browser. */
export type WidgetWorld = {
  platform: PlatformProcess;
  model: Model;
  site: Site;
  browser: Browser;
  /** Creates a public agent of a start node and one more; resolves with its id. */
  createAgent(agent?: NewAgent): Promise<string>;
  /** An empty page in a browser profile of its own. */
  newPage(options?: BrowserContextOptions): Promise<Page>;
  /** As `newPage`, at this address. */
  open(url: string, options?: BrowserContextOptions): Promise<Page>;
  /** Answers the model's next request at once. */
  say(text: string): Promise<void>;
  /** The only run of an agent. */
  onlyRun(agent: string): Promise<WidgetRun>;
  close(): Promise<void>;
};

type Row = Record<string, unknown>;
type WidgetRun = { state: string; steps: { input: Row; output: Row }[] };

type NewAgent = {
  type?: string;
  config?: object;
  start?: object;
  chatbotConfig?: object;
  isPublic?: boolean;
  speechToText?: object;
};

export async function startWidget(more: Record<string, string> = {}): Promise<WidgetWorld> {
  const model = await startPacedModel();
  const open = { ALLOW_PUBLIC_FLOWS: "true", PUBLIC_RATE_LIMIT: "0" };
  const env = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "sk-test", DEFAULT_MODEL: "paced", ...open, ...more };
  const platform = await startPlatformProcess({ env });
  const site = await startEmbeddingSite(platform.url);
  const browser = await openBrowser();
  async function newPage(options: BrowserContextOptions = {}): Promise<Page> {
    const page = await browser.newPage({ reducedMotion: "reduce", ...options });
    page.setDefaultTimeout(90_000);
    return page;
  }
  return {
    platform,
    model,
    site,
    browser,
    async createAgent(agent = {}) {
      const { type = "llm", config = {}, start = {}, chatbotConfig = {}, isPublic = true, speechToText = {} } = agent;
      const nodes = [
        { id: "start_0", type: "start", label: "Start", config: start },
        { id: "node_0", type, label: "Node", config },
      ];
      const flowData = JSON.stringify({ weft: 1, nodes, edges: [{ id: "e", source: "start_0", target: "node_0" }] });
      const texts = { chatbotConfig: JSON.stringify(chatbotConfig), speechToText: JSON.stringify(speechToText) };
      return (
        await platform.call<{ id: string }>("POST", "/chatflows", { name: "Helper", flowData, isPublic, ...texts })
      ).id;
    },
    newPage,
    async open(url, options) {
      const page = await newPage(options);
      await page.goto(url);
      return page;
    },
    async say(text) {
      const answer = await model.next();
      answer.say(text);
      answer.finish();
    },
    async onlyRun(agent) {
      const { data } = await platform.call<{ data: { id: string }[] }>("GET", `/executions?agentflowId=${agent}`);
      assert.equal(data.length, 1);
      return platform.call<WidgetRun>("GET", `/executions/${data[0]?.id}`);
    },
    async close() {
      await browser.close();
      await platform.remove();
      for (const server of [model, site]) server.close();
    },
  };
}

/** The script of a page that embeds the chat as its documentation says. */
export function embed(serverUrl: string, options: object, call: "init" | "initFull" = "init"): string {
  const given = JSON.stringify({ apiHost: serverUrl, ...options });
  return `import Chatbot from "${serverUrl}/widget.js"; Chatbot.${call}(${given});`;
}

export async function ask(page: Page, text: string): Promise<void> {
  await page.getByLabel("Message", { exact: true }).fill(text);
  await page.getByLabel("Message", { exact: true }).press("Enter");
}

/** Waits for an answer with this text, whole or being written. */
export async function answerThatSays(page: Page, text: string): Promise<void> {
  await page.getByRole("group", { name: "Answer" }).filter({ hasText: text }).last().waitFor();
}

/** As `answerThatSays`, until the answer is whole: then it is stored, and its run has ended. */
export async function wholeAnswerThatSays(page: Page, text: string): Promise<void> {
  await answerThatSays(page, text);
  await page.locator(".answer[aria-busy=true]").waitFor({ state: "detached" });
}
