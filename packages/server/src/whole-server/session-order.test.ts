// @tier long: it kills processes and waits for others to take over.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Script } from "@weft/providers/testing";
import type { Execution } from "@weft/schema";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { until } from "../../../database/src/testing/until.ts";
import type { PlatformProcess } from "../testing/platform-process.ts";
import { openProcessBench, shortLease } from "../testing/process-bench.ts";
import { llmFlow } from "../testing/test-platform.ts";

type Message = { role: string; content: string; createdDate: string };

/** A model that answers with the number of messages that people wrote in the conversation; its first calls hang. */
const counter =
  (hanging = 0): Script =>
  ({ messages }, index) =>
    index < hanging ? { hang: true } : { text: `${messages.filter(({ role }) => role === "user").length}` };

const createCounting = (platform: PlatformProcess) =>
  platform.call<{ id: string }>("POST", "/chatflows", { name: "counts", flowData: llmFlow() });
const ask = (platform: PlatformProcess, id: string, chatId: string) =>
  platform.call<{ text: string }>("POST", `/prediction/${id}`, { question: "Next", chatId });
const answersOf = async (platform: PlatformProcess, id: string, chatId: string) =>
  (await platform.call<Message[]>("GET", `/chatmessage/${id}?chatId=${chatId}&order=ASC`))
    .filter(({ role }) => role === "apiMessage")
    .map(({ content }) => Number(content));

/** Waits until the journal has the step that asks the model. */
const recorded = (platform: PlatformProcess) =>
  until(async () => {
    const { data } = await platform.call<{ data: { id: string }[] }>("GET", "/executions");
    const { steps } = await platform.call<Execution>("GET", `/executions/${data[0]?.id}`);
    return steps.length === 2 ? steps : undefined;
  });

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

await forEachDatabase((databases) => {
  describe("the messages of a session", () => {
    it("run one after the other when the process that took them is gone, and nothing overtakes them", async (t) => {
      const bench = await openProcessBench(t, databases);
      await bench.startModel(counter(Number.POSITIVE_INFINITY));
      const env = { ...shortLease, MAX_CONCURRENT_RUNS: "8", MAX_QUEUED_RUNS: "1000" };
      const first = await bench.start(env);
      const { id } = await createCounting(first);
      const chats = numbers(60).map((number) => `chat-${number}`);
      const asked = chats.flatMap((chat) => numbers(5).map(() => ask(first, id, chat).catch(() => undefined)));
      const isOpen = async () => {
        const { total } = await first.call<{ total: number }>("GET", "/executions?state=INPROGRESS&page=1&limit=1");
        return total === 300 || undefined;
      };
      await until(isOpen);
      await first.kill("SIGKILL");
      await Promise.all(asked);

      await bench.startModel(counter());
      const second = await bench.start(env);
      const late = await Promise.all(chats.map((chat) => ask(second, id, chat)));
      assert.deepEqual(new Set(late.map(({ text }) => text)), new Set(["6"]));
      for (const chat of chats) assert.deepEqual(await answersOf(second, id, chat), numbers(6));
    });

    if (databases.name !== "postgres") return;

    it("run one after the other over two processes, and each knows all before it", async (t) => {
      const { startModel, start } = await openProcessBench(t, databases);
      await startModel(counter());
      const [first, second] = await Promise.all([start(), start()]);
      const { id } = await createCounting(first);
      const answers = await Promise.all(
        numbers(20).map((number) => ask(number % 2 === 0 ? first : second, id, "counter")),
      );
      const counted = answers.map(({ text }) => Number(text)).toSorted((a, b) => a - b);
      assert.deepEqual(counted, numbers(20));
      assert.deepEqual(await answersOf(first, id, "counter"), numbers(20));
    });

    it("are answered though their process stood still for longer than its lease", async (t) => {
      const { startModel, start } = await openProcessBench(t, databases);
      const model = await startModel(counter(1));
      const [first, second] = await Promise.all([start(shortLease), start()]);
      const { id } = await createCounting(first);
      const asked = ask(first, id, "stalled");
      await until(async () => model.requests[0]);
      first.freeze();
      await until(async () => ((await answersOf(second, id, "stalled")).length === 1 ? true : undefined));
      first.thaw();
      assert.equal((await asked).text, "1");
      assert.deepEqual(await answersOf(first, id, "stalled"), [1]);
    });
  });

  describe("a run that ends its process whenever it goes on", () => {
    it("is given up at the sixth take-over, and says so", async (t) => {
      const { startModel, start } = await openProcessBench(t, databases);
      const never = await startModel(counter(Number.POSITIVE_INFINITY));
      let platform = await start(shortLease);
      const { id } = await createCounting(platform);
      const asked = ask(platform, id, "poison").catch(() => undefined);
      for (let begun = 1; begun <= 6; begun += 1) {
        await until(async () => never.requests[begun - 1]);
        // A call may begin before the journal has its step, which would then be a step further.
        await recorded(platform);
        await platform.kill("SIGKILL");
        platform = await start(shortLease);
      }
      await asked;
      const ended = await until(async () => {
        const { data } = await platform.call<{ data: { state: string; id: string }[] }>("GET", "/executions");
        return data[0]?.state === "ERROR" ? data[0] : undefined;
      });
      const messages = await platform.call<Message[]>("GET", `/chatmessage/${id}?chatId=poison`);
      assert.match(messages.at(-1)?.content ?? "", /stopped 6 times in a row/);
      assert.equal(never.requests.length, 6);
      assert.ok(ended.id);
    });
  });
});
