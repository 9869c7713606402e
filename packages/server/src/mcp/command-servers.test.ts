import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { createLogger } from "@weft/http/logger";
import type { Script } from "@weft/providers/testing";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { ConfigError } from "../config.ts";
import { openScriptedPlatform } from "../testing/scripted-model.ts";
import { agentWith, flowOf } from "../testing/test-platform.ts";
import { createCommandServers, splitLines } from "./command-servers.ts";
import { type CommandSettings, readCommandSettings } from "./command-settings.ts";

/** Answers requests of MCP 2026-07-28 that come as lines; `env` tells what it sees of its environment. */
const server = `
  console.error("ready");
  process.stdin.on("end", () => process.exit(0));
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    const about = { resultType: "complete", ttlMs: 0, cacheScope: "private" };
    const tools = [{ name: "env", inputSchema: { type: "object" } }];
    const names = Object.keys(process.env).filter((name) => !name.startsWith("__")).join();
    const results = {
      "server/discover": { supportedVersions: ["2026-07-28"], capabilities: { tools: {} } },
      "tools/list": { tools },
      "tools/call": { content: [{ type: "text", text: names + " " + process.env.SECRET }] },
    };
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: { ...about, ...results[method] } }));
  });
`;

const command = (script: string, env: Record<string, string> = {}): CommandSettings => ({
  command: process.execPath,
  args: ["-e", script],
  env,
});

function open(t: TestContext, commands: Record<string, CommandSettings>) {
  const logged: Record<string, unknown>[] = [];
  const logger = createLogger({ level: "debug", now: () => 0, write: (line) => logged.push(JSON.parse(line)) });
  const servers = createCommandServers(new Map(Object.entries(commands)), logger);
  t.after(() => servers.close());
  const start = (name: string) => {
    const lines: string[] = [];
    const ended = Promise.withResolvers<void>();
    const said = Promise.withResolvers<void>();
    const line = (text: string) => {
      lines.push(text);
      said.resolve();
    };
    const process = servers.start(name, { line, ended: ended.resolve });
    return { process, lines, ended: ended.promise, said: said.promise };
  };
  return { servers, logged, start };
}

describe("command servers", () => {
  it("exchange lines, see their configured environment alone, and end with their input", async (t) => {
    const { start, logged } = open(t, { one: command(server, { SECRET: "s3cret" }) });
    const one = start("one");
    one.process.write(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call" }));
    await one.said;
    assert.equal(JSON.parse(one.lines[0] ?? "").result.content[0].text, "SECRET s3cret");
    await one.process.end();
    await one.ended;
    const events = logged.map(({ event, mcpServer, reason, outcome }) => [event, mcpServer, reason ?? outcome]);
    assert.deepEqual(events, [
      ["mcp-server-started", "one", undefined],
      ["mcp-server-said", "one", "ready"],
      ["mcp-server-ended", "one", "0"],
    ]);
    assert.ok(!JSON.stringify(logged).includes("s3cret"));
  });

  it("are stopped when they do not end by themselves, with what they started", async (t) => {
    const deaf = `process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); console.log("up");`;
    const launcher = `require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(deaf)}], { stdio: "inherit" })`;
    const { servers, start } = open(t, { deaf: command(launcher) });
    const one = start("deaf");
    await one.said;
    await servers.close();
    // The output, which both of them hold, is closed.
    await one.ended;
    assert.throws(() => servers.start("deaf", { line: () => {}, ended: () => {} }));
  });

  it("that cannot be started have ended", async (t) => {
    const { start, logged } = open(t, { none: { command: "/nowhere/at/all", args: [], env: {} } });
    const none = start("none");
    none.process.write("{}");
    await none.ended;
    assert.ok(logged.some(({ event }) => event === "mcp-server-failed"));
  });

  it("log a bounded part of what they say, and are stopped for a line without end", async (t) => {
    const noisy = `for (let i = 0; i < 500; i++) console.error("x".repeat(2000)); process.stdout.write("y".repeat(11e6)); setInterval(() => {}, 1000)`;
    const { start, logged } = open(t, { noisy: command(noisy) });
    const one = start("noisy");
    await one.ended;
    const said = logged.filter(({ event }) => event === "mcp-server-said");
    assert.equal(said.length, 100);
    assert.ok(said.every(({ reason }) => String(reason).length <= 500));
    assert.deepEqual(one.lines, []);
  });
});

describe("MCP_SERVERS", () => {
  const files = { command: "npx", args: ["-y", "files"], env: { TOKEN: "t0ken" } };

  it("is JSON text or a file of it", async (t) => {
    const directory = await mkdtemp(join(tmpdir(), "weft-mcp-"));
    t.after(() => rm(directory, { recursive: true }));
    const path = join(directory, "servers.json");
    await writeFile(path, JSON.stringify({ files }));
    assert.deepEqual(await readCommandSettings(path), new Map([["files", files]]));
    assert.deepEqual(
      await readCommandSettings('{"time":{"command":"uvx"}}'),
      new Map([["time", { command: "uvx", args: [], env: {} }]]),
    );
    assert.equal((await readCommandSettings("  ")).size, 0);
  });

  it("is refused with a sentence that repeats no value", async () => {
    const messageOf = (text: string) =>
      readCommandSettings(text).then(
        () => assert.fail("it was accepted"),
        (error: unknown) => (error instanceof ConfigError ? error.message : assert.fail(String(error))),
      );
    assert.match(await messageOf("{"), /MCP_SERVERS is not valid JSON\./);
    assert.match(await messageOf("/nowhere.json"), /\/nowhere\.json cannot be read/);
    assert.match(await messageOf('{"files":{"args":[]}}'), /at files\.command/);
    assert.match(await messageOf('{"files":{"command":"x","cwd":"/"}}'), /cwd/);
    const wrong = JSON.stringify({ files: { ...files, env: { TOKEN: ["t0ken"] } } });
    assert.match(await messageOf(wrong), /at files\.env\.TOKEN/);
    assert.ok(!(await messageOf(wrong)).includes("t0ken"));
    assert.match(await messageOf(JSON.stringify({ "a b": files })), /MCP_SERVERS does not fit/);
  });
});

describe("lines", () => {
  it("are whole, however they arrive, and none is longer than the limit", () => {
    const lines: string[] = [];
    const long: string[] = [];
    const take = splitLines(5, { line: (text) => lines.push(text), tooLong: (text) => long.push(text) });
    for (const piece of ["a", "b\nc\r", "\n\n", "123456", "789", "0\nd", "e\n"]) take(piece);
    assert.deepEqual(lines, ["ab", "c", "", "de"]);
    assert.deepEqual(long, ["123456"]);
  });
});

await onTestDatabase((databases) => {
  if (databases.name !== "sqlite") return;
  it("an agent uses the tools of a command that the operator named", async (t) => {
    const script: Script = ({ messages }) =>
      messages.at(-1)?.role === "tool"
        ? { text: String(messages.at(-1)?.content) }
        : { toolCalls: [{ name: "env", arguments: {} }] };
    const platform = await openScriptedPlatform(t, databases, script, {
      env: { MCP_SERVERS: JSON.stringify({ env: command(server, { SECRET: "42" }) }) },
    });
    const withTools = (config: object) => flowOf("agent", "Agent", { tools: [{ type: "mcp-server", config }] });
    const id = await agentWith(platform, withTools({ server: "env" }));
    const answer = await platform.json<{ text: string }>("POST", `/prediction/${id}`, { question: "Which?" });
    assert.equal(answer.text, "SECRET 42");
    const other = await agentWith(platform, withTools({ server: "sh" }));
    const refused = await platform.send("POST", `/prediction/${other}`, { question: "Which?" });
    assert.match(await refused.text(), /there is no local server named sh\. The operator has set up: env/);
  });
});
