import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { answerMcp, type McpMessage, type McpScript, said } from "../testing/scripted-mcp.ts";
import { type CommandEvents, type CommandServers, createCommandConnections } from "./command-connections.ts";

type Behaviour = McpScript & {
  /** Ends when it is asked which revision it speaks, as servers of old libraries do. */
  endsWhenProbed?: boolean;
};

/** Commands within this process. `running` are those that have not ended. */
function fakeCommands(script: Behaviour) {
  const running = new Set<CommandEvents>();
  const started: string[] = [];
  const received: McpMessage[] = [];
  const servers: CommandServers = {
    names: ["files"],
    start(name, events) {
      started.push(name);
      running.add(events);
      return {
        write: (line) => void answer(JSON.parse(line), events),
        end: async () => crash(events),
      };
    },
  };

  function crash(events: CommandEvents): void {
    if (running.delete(events)) events.ended();
  }

  async function answer(message: McpMessage, events: CommandEvents): Promise<void> {
    received.push(message);
    if (script.endsWhenProbed && message.method === "server/discover") return crash(events);
    const answered = await answerMcp(script, message);
    await turn();
    if (answered && running.has(events)) events.line(JSON.stringify(answered));
  }

  return { servers, started, received, crashAll: () => [...running].forEach(crash), running };
}

const hello: McpScript = { era: "modern", tools: [{ name: "hello" }], calls: { hello: () => said("Hello") } };
const never = new AbortController().signal;

describe("commands", () => {
  for (const era of ["modern", "legacy"] as const) {
    it(`share one process among their users (${era})`, async () => {
      const commands = fakeCommands({ ...hello, era });
      const connection = createCommandConnections(commands.servers)("files");
      const call = () => connection.use(never, (client) => client.callTool({ name: "hello" }));
      const results = await Promise.all([call(), call(), call()]);
      for (const { content } of results) assert.deepEqual(content, [{ type: "text", text: "Hello" }]);
      assert.equal(commands.started.length, 1);
    });
  }

  it("are asked in the older way when they end at the question", async () => {
    const commands = fakeCommands({ ...hello, era: "legacy", endsWhenProbed: true });
    const connection = createCommandConnections(commands.servers)("files");
    const list = () => connection.use(never, (client) => client.listTools());
    assert.equal((await list()).tools.length, 1);
    assert.equal(commands.started.length, 2);
    commands.crashAll();
    assert.equal((await list()).tools.length, 1);
    assert.equal(commands.started.length, 3, "the revision was not remembered");
  });

  it("fail the call that they end in, and are started again by the next", async () => {
    let crash: () => void = () => {};
    const commands = fakeCommands({
      ...hello,
      calls: {
        hello() {
          crash();
          return said("Hello");
        },
      },
    });
    crash = commands.crashAll;
    const connection = createCommandConnections(commands.servers)("files");
    const call = () => connection.use(never, (client) => client.callTool({ name: "hello" }));
    await assert.rejects(call(), { code: "CONNECTION_CLOSED" });
    crash = () => {};
    assert.ok(await call());
    assert.equal(commands.started.length, 2);
  });

  it("are ended when nobody uses them, but not while somebody does", async () => {
    const answered = Promise.withResolvers<void>();
    const commands = fakeCommands({ ...hello, calls: { hello: () => answered.promise.then(() => said("Hello")) } });
    const connection = createCommandConnections(commands.servers, { idleMs: 5 })("files");
    const long = connection.use(never, (client) => client.callTool({ name: "hello" }));
    await connection.use(never, (client) => client.listTools());
    await new Promise((resolve) => setTimeout(resolve, 30));
    assert.equal(commands.running.size, 1);
    answered.resolve();
    await long;
    while (commands.running.size > 0) await turn();
    assert.ok(await connection.use(never, (client) => client.listTools()));
    assert.equal(commands.started.length, 2);
  });

  it("are told when a call is cancelled, and stay", async () => {
    const began = Promise.withResolvers<void>();
    const hangs = () => {
      began.resolve();
      return new Promise<never>(() => {});
    };
    const commands = fakeCommands({ ...hello, calls: { hello: hangs } });
    const connection = createCommandConnections(commands.servers)("files");
    const cancel = new AbortController();
    const call = connection.use(cancel.signal, (client) =>
      client.callTool({ name: "hello" }, { signal: cancel.signal }),
    );
    await began.promise;
    const reason = new Error("cancelled");
    cancel.abort(reason);
    await assert.rejects(call, reason);
    while (commands.received.at(-1)?.method !== "notifications/cancelled") await turn();
    assert.equal(commands.running.size, 1);
  });
});
