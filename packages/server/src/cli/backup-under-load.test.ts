// @tier long: it backs up while a load is written.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { it } from "node:test";
import { createScriptedOpenAiServer } from "@weft/providers/testing";
import { until } from "../../../database/src/testing/until.ts";
import { type PlatformProcess, startPlatformProcess } from "../testing/platform-process.ts";
import { stopAfter } from "../testing/stop-after.ts";
import { llmFlow } from "../testing/test-platform.ts";
import { runCli } from "./testing/run-cli.ts";

/** Ids of what the server has acknowledged so far, and the chats that it has answered. */
type Acknowledged = { agents: string[]; stores: string[]; chats: string[] };

const rounds = 3;
/** Eleven processes, one after the other, on a machine that may be slow. */
const timeout = 900_000;

it("a backup under load restores to one moment: nothing acknowledged is missing, and unfinished runs end", {
  timeout,
}, async (t) => {
  const onEnd = stopAfter(t);
  const folder = await mkdtemp(join(tmpdir(), "weft-load-"));
  onEnd(() => rm(folder, { recursive: true, force: true }));
  let isHeld = true;
  const holding = new Set<string>();
  const model = await createScriptedOpenAiServer({
    script({ messages }) {
      const question = String(messages.at(-1)?.content);
      if (!question.startsWith("hold")) return { text: "Hello." };
      holding.add(question);
      return isHeld ? { hang: true } : { text: `Done with ${question}.` };
    },
  });
  onEnd(() => model.close());
  const env = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "test", DEFAULT_MODEL: "scripted" };
  const start = async (name: string) => {
    const server = await startPlatformProcess({ dataDir: join(folder, name), env });
    onEnd(() => server.kill("SIGKILL"));
    return server;
  };
  const first = await start("data");
  const { id: agent } = await first.call<{ id: string }>("POST", "/chatflows", { name: "A", flowData: llmFlow() });
  const load = putLoadOn(first, agent);
  onEnd(load.stop);

  const taken: { name: string; before: Acknowledged; heldRun: string }[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const question = `hold ${round}`;
    first.send("POST", `/prediction/${agent}`, { question, chatId: question }).catch(() => undefined);
    const heldRun = await until(async () => {
      if (!holding.has(question)) return undefined;
      type Page = { data: { id: string }[] };
      const { data } = await first.call<Page>("GET", `/executions?chatId=${encodeURIComponent(question)}`);
      return data[0]?.id;
    });
    const count = load.acknowledged.chats.length;
    await until(() => (load.acknowledged.chats.length > count + 5 ? true : undefined));
    const before = structuredClone(load.acknowledged);
    const name = `backup-${round}`;
    const { exitCode, stderr } = await runCli("backup", {
      args: [join(folder, name)],
      env: { DATA_DIR: first.dataDir },
    });
    assert.equal(exitCode, 0, stderr);
    // The load went on while the backup was taken.
    assert.ok(load.acknowledged.chats.length > before.chats.length);
    taken.push({ name, before, heldRun });
  }
  await load.stop();
  await first.kill("SIGKILL");
  isHeld = false;

  for (const { name, before, heldRun } of taken) {
    const DATA_DIR = join(folder, `of-${name}`);
    assert.equal((await runCli("restore", { args: [join(folder, name)], env: { DATA_DIR } })).exitCode, 0);
    assertWhole(join(DATA_DIR, "weft.db"));
    const server = await start(`of-${name}`);
    await assertHas(server, agent, before);
    const run = await until(async () => {
      const { state, text } = await server.call<{ state: string; text: string }>("GET", `/executions/${heldRun}`);
      return state === "INPROGRESS" ? undefined : { state, text };
    });
    assert.deepEqual(run, { state: "FINISHED", text: `Done with hold ${name.slice(-1)}.` });
    await server.kill("SIGKILL");
  }
});

/** Creates agents and stores and asks an agent, without a pause, until `stop`. */
function putLoadOn({ call }: PlatformProcess, agent: string) {
  const acknowledged: Acknowledged = { agents: [], stores: [], chats: [] };
  let isStopped = false;
  const again = async (work: (index: number) => Promise<unknown>) => {
    for (let index = 0; !isStopped; index += 1) await work(index);
  };
  const make = async (path: string, body: object) => (await call<{ id: string }>("POST", path, body)).id;
  const working = Promise.all([
    again(async (index) =>
      acknowledged.agents.push(await make("/chatflows", { name: `Agent ${index}`, flowData: "{}" })),
    ),
    again(async (index) => acknowledged.stores.push(await make("/document-store/store", { name: `Store ${index}` }))),
    again(async (index) => {
      const chatId = `chat-${index}`;
      await call("POST", `/prediction/${agent}`, { question: "Hi", chatId });
      acknowledged.chats.push(chatId);
    }),
  ]);
  // A request that fails fails the test where it ends, not as a rejection that nobody handles.
  working.catch(() => undefined);
  return {
    acknowledged,
    async stop() {
      isStopped = true;
      await working;
    },
  };
}

function assertWhole(path: string): void {
  const database = new DatabaseSync(path);
  assert.deepEqual(
    database
      .prepare("pragma integrity_check")
      .all()
      .map((row) => row.integrity_check),
    ["ok"],
  );
  assert.deepEqual(database.prepare("pragma foreign_key_check").all(), []);
  database.close();
}

async function assertHas({ call }: PlatformProcess, agent: string, { agents, stores, chats }: Acknowledged) {
  const idsOf = async (path: string) => new Set((await call<{ id: string }[]>("GET", path)).map(({ id }) => id));
  const [allAgents, allStores] = [await idsOf("/chatflows"), await idsOf("/document-store/store")];
  assert.deepEqual(
    agents.filter((id) => !allAgents.has(id)),
    [],
  );
  assert.deepEqual(
    stores.filter((id) => !allStores.has(id)),
    [],
  );
  const messages = await call<{ chatId: string; role: string }[]>("GET", `/chatmessage/${agent}`);
  const answered = new Set(messages.filter(({ role }) => role === "apiMessage").map(({ chatId }) => chatId));
  assert.deepEqual(
    chats.filter((chatId) => !answered.has(chatId)),
    [],
  );
}
