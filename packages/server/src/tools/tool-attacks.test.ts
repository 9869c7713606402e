import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, type TestContext, test } from "node:test";
import type { Script } from "@weft/providers/testing";
import type { Tool, ToolTrial } from "@weft/schema";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { openScriptedPlatform } from "../testing/scripted-model.ts";
import { agentWith, flowOf, openTestPlatform, type TestPlatform } from "../testing/test-platform.ts";

type Attack = {
  code: string;
  /** What comes of it, as the model reads it. */
  outcome: RegExp;
};

/** Ways out of the sandbox. */
const escapes: Record<string, Attack> = {
  "the constructor of an object's constructor": {
    code: "return ({}).constructor.constructor('return typeof process + typeof require + typeof module')()",
    // The sandbox's own require, which has modules of its own.
    outcome: /^undefinedfunctionundefined$/,
  },
  "modules of the host through require": {
    code: "return require('node:fs').readFileSync('/etc/passwd', 'utf8')",
    outcome: /failed: \w+: /,
  },
  "the constructor of a library": {
    code: "return ['lodash', 'moment', 'axios', 'cheerio'].map((name) => require(name).constructor.constructor('return typeof process')()).join()",
    outcome: /^undefined,undefined,undefined,undefined$/,
  },
  "the constructor called for its value": {
    code: "return ({}).constructor.constructor('return process')().env",
    outcome: /ReferenceError/,
  },
  "the constructor of what the platform gives": {
    code: "const made = [fetch, console.log, $vars, $flow].map((it) => it.constructor.constructor('return typeof process')()); return made.join()",
    outcome: /^undefined,undefined,undefined,undefined$/,
  },
  "the constructor of a rejected fetch": {
    code: "try { await fetch('file:///etc/passwd') } catch (error) { return error.constructor.constructor('return typeof process')() }",
    outcome: /^undefined$/,
  },
  "modules of the host": {
    code: "return (await import('node:fs')).readFileSync('/etc/passwd', 'utf8')",
    outcome: /failed: \w+: /,
  },
  "forged messages to the host": {
    code: `
      const forged = { type: "done", callId: 1, outcome: { ok: true, valueText: '"forged"' }, logs: [], isSpent: false };
      for (const name of ["postMessage", "parentPort", "onmessage", "Worker", "MessageChannel", "dispatchEvent"]) {
        if (typeof globalThis[name] !== "undefined") return "reached " + name;
      }
      globalThis.onmessage = () => forged;
      return forged;`,
    outcome: /^\{"type":"done","callId":1,/,
  },
  "handles of the host under likely names": {
    code: "return ['finish', 'host', 'send', 'parts', 'input', 'settle', 'std', 'os'].filter((name) => name in globalThis).length",
    outcome: /^0$/,
  },
  "the frames of the host in a stack": {
    code: "const stack = new Error('x').stack ?? ''; return /[\\\\/](work|home|packages|node_modules)|node:|\\.ts/.test(stack)",
    outcome: /^false$/,
  },
  "the caller of a function": {
    code: "function own() { return own.caller } return own()",
    outcome: /nothing|TypeError/,
  },
};

/** Harm to what runs after. */
const pollution: Record<string, Attack> = {
  prototypes: {
    code: "Object.prototype.polluted = 'yes'; Array.prototype.push = null; Promise.prototype.then = null; Function.prototype.call = null; return 'done'",
    outcome: /^done$|failed/,
  },
  "a result with __proto__": {
    code: 'return JSON.parse(\'{"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}}}\')',
    outcome: /^\{"constructor":/,
  },
  "JSON itself": {
    code: "JSON.stringify = () => 'v{\"forged\":1}'; JSON.parse = () => { throw 1 }; return { real: true }",
    outcome: /^\{"real":true\}$/,
  },
};

/** Things thrown at whoever reports them. */
const thrown: Record<string, Attack> = {
  "a proxy": {
    code: "throw new Proxy({}, { get() { throw new Proxy({}, {}) }, getPrototypeOf() { throw 1 } })",
    outcome: /failed: Error: $/,
  },
  "an error whose parts throw": {
    code: "throw { get name() { throw 1 }, get message() { while (true) throw 2 }, toString() { throw 3 } }",
    outcome: /failed: Error: $/,
  },
  "an error with a huge message": {
    code: "throw new Error('m'.repeat(5e6))",
    outcome: /^Attack failed: Error: m{2000}$/,
  },
  "a thenable that never settles": { code: "return { then() {} }", outcome: /never happens/ },
  "a function, a symbol": { code: "return [() => 1, Symbol('s')]", outcome: /^\[null,null\]$/ },
};

/** More than there is. */
const exhaustion: Record<string, Attack> = {
  "an endless loop": { code: "while (true);", outcome: /TimeoutError/ },
  "an endless loop of promises": { code: "for (;;) await null", outcome: /TimeoutError/ },
  "a loop that catches its end": {
    code: "for (;;) { try { for (;;); } catch {} finally { continue } }",
    outcome: /TimeoutError/,
  },
  "a slow regular expression": { code: "return /(a+)+$/.test('a'.repeat(60) + 'b')", outcome: /TimeoutError/ },
  memory: {
    code: "const all = []; for (;;) all.push(new Uint8Array(1e6).fill(1))",
    outcome: /RangeError|out of memory|TimeoutError/,
  },
  text: { code: "let text = 'x'; for (;;) text += text", outcome: /too long|memory|TimeoutError/ },
  "a deep result": {
    code: "let deep = 1; for (let i = 0; i < 5000; i++) deep = [deep]; return deep",
    outcome: /nested|overflow/,
  },
  "a deep text of JSON": {
    code: "return JSON.parse('['.repeat(1e6) + ']'.repeat(1e6))",
    outcome: /overflow|memory|nested/,
  },
  "a huge result": { code: "return 'x'.repeat(2e6)", outcome: /1048576 bytes/ },
  "a million promises": {
    code: "let done = 0; const all = []; for (let i = 0; i < 1e6; i++) all.push(Promise.resolve(i).then(() => done++)); await Promise.all(all); return done",
    outcome: /^1000000$|TimeoutError|RangeError|out of memory/,
  },
  "endless recursion": { code: "const again = () => again(); again()", outcome: /overflow/ },
  "a flood of output": {
    code: "for (let i = 0; i < 1e5; i++) console.log('y'.repeat(100)); return 'done'",
    outcome: /^done$|TimeoutError/,
  },
};

/** Of what uses all the time it gets. */
const shortTimeoutMs = 600;

/** A server in the private network that nobody may reach. */
async function startPrivateServer(t: TestContext) {
  const received: string[] = [];
  const server = createServer((request, response) => {
    received.push(request.url ?? "");
    response.end("private");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { received, port: (server.address() as AddressInfo).port };
}

async function openTrials(t: Pick<TestContext, "after">, databases: TestDatabases, env: Record<string, string> = {}) {
  const platform = await openTestPlatform(t, databases, env);
  const { id } = await platform.json<Tool>("POST", "/tools", { name: "Attack" });
  const attempt = (func: string, more: object = {}) =>
    platform.json<ToolTrial>("POST", `/tools/${id}/test`, { func, ...more });
  return { platform, attempt };
}

function openOnce(databases: TestDatabases): () => ReturnType<typeof openTrials> {
  const closers: (() => unknown)[] = [];
  let opening: ReturnType<typeof openTrials> | undefined;
  after(async () => {
    for (const close of closers) await close();
  });
  return () => (opening ??= openTrials({ after: (close) => void closers.push(close as () => unknown) }, databases));
}

/** Everything that an attack may have spoiled. */
async function assertUnharmed(platform: TestPlatform): Promise<void> {
  assert.equal(({} as { polluted?: string }).polluted, undefined);
  assert.equal((await platform.send("GET", "/ping")).status, 200);
  assert.ok(Array.isArray(await platform.json("GET", "/tools")));
}

await onTestDatabase((databases) => {
  /** Of one platform for all trials: what one attack spoiled, the tests after it would meet as well. */
  const trials = openOnce(databases);

  for (const [kind, attacks] of Object.entries({ escapes, pollution, thrown, exhaustion })) {
    test(`trials contain ${kind}`, async () => {
      const { platform, attempt } = await trials();
      for (const [name, { code, outcome }] of Object.entries(attacks)) {
        // What ends otherwise has the usual time, since it may take longer on a busy machine.
        const running = attempt(code, outcome.source.includes("TimeoutError") ? { timeoutMs: shortTimeoutMs } : {});
        await assertUnharmed(platform);
        assert.match((await running).output, outcome, name);
      }
      assert.equal((await attempt("return [].concat({}.polluted ?? 'clean').map(String)[0]")).output, "clean");
      await assertUnharmed(platform);
    });
  }

  test("fetch reaches no private address, no file, and not for ever", async (t) => {
    const closed = await startPrivateServer(t);
    const { attempt } = await trials();
    const addresses = [
      `http://127.0.0.1:${closed.port}/`,
      `http://localhost:${closed.port}/`,
      `http://[::1]:${closed.port}/`,
      `http://[::ffff:127.0.0.1]:${closed.port}/`,
      `http://0x7f000001:${closed.port}/`,
      `http://0:${closed.port}/`,
      "http://169.254.169.254/latest/meta-data/",
      "file:///etc/passwd",
      "data:text/plain,x",
      "javascript:1",
      "ftp://127.0.0.1/",
      "",
    ];
    const code = `return await Promise.all($addresses.map(async (address) => {
      try { return "reached " + await (await fetch(address)).text() } catch (error) { return error.message }
    }))`;
    const schema = '[{"property":"addresses","type":"array"}]';
    const half = addresses.length / 2;
    for (const some of [addresses.slice(0, half), addresses.slice(half)]) {
      const { output } = await attempt(code, { schema, input: { addresses: some } });
      const answers = JSON.parse(output) as string[];
      assert.equal(answers.length, some.length);
      for (const answer of answers) assert.match(answer, /is not allowed|http/, output);
      assert.ok(!output.includes("reached"), output);
    }
    assert.deepEqual(closed.received, []);
  });

  test("fetch is counted, whatever the code does to the counter", async (t) => {
    const open = await startPrivateServer(t);
    const { attempt } = await openTrials(t, databases, { EGRESS_ALLOW: `127.0.0.1:${open.port}` });
    const calls = `
      Array.prototype.push = Object.defineProperty = null;
      const call = () => fetch("http://127.0.0.1:${open.port}/").then((r) => r.text(), (e) => e.message);
      const answers = []; for (let i = 0; i < 1000; i++) answers[i] = call();
      return [...new Set(await Promise.all(answers))]`;
    const { output } = await attempt(calls);
    assert.match(output, /private/);
    assert.match(output, /10 times at most/);
    assert.equal(open.received.length, 10);
  });

  test("a schema cannot hold up the server", async () => {
    const { attempt, platform } = await trials();
    const slow = { type: "string", pattern: "^(a+)+$" };
    const choices = (depth: number): object => (depth === 0 ? {} : { $ref: `#/$defs/c${depth}` });
    const $defs = Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => [`c${n + 1}`, { anyOf: [choices(n), choices(n)] }]),
    );
    const schemas = [
      { type: "object", properties: { text: slow } },
      { type: "object", patternProperties: { "^(a+)+$": {} } },
      { type: "object", properties: { list: { type: "array", uniqueItems: true } } },
      { $defs, type: "object", properties: { text: choices(60) } },
      { type: "object", properties: { text: { $ref: "#" } } },
    ];
    const text = `${"a".repeat(100)}b`;
    const input = { text, [text]: 1, list: Array.from({ length: 100_000 }, (_, index) => index) };
    for (const schema of schemas) {
      const body = { func: "return 1", schema: JSON.stringify(schema), input };
      const [tool] = await platform.json<Tool[]>("GET", "/tools");
      const response = await platform.send("POST", `/tools/${tool?.id}/test`, body);
      assert.ok([200, 422].includes(response.status), await response.text());
    }
    assert.equal((await attempt("return 1")).output, "1");
  });

  test("an agent's run contains attacks, and ends", async (t) => {
    const read: string[] = [];
    const script: Script = ({ messages }) => {
      const result = messages.findLast(({ role }) => role === "tool")?.content;
      if (result === undefined) return { toolCalls: [{ name: "Attack", arguments: {} }] };
      read.push(String(result));
      return { text: "It is over." };
    };
    const platform = await openScriptedPlatform(t, databases, script);
    const { id } = await platform.json<Tool>("POST", "/tools", { name: "Attack" });
    const tools = [{ type: "custom-tool", config: { toolId: id, timeoutMs: 1_500 } }];
    const agentId = await agentWith(platform, flowOf("agent", "Agent", { tools }));
    const attacks = [
      escapes["the constructor called for its value"],
      pollution["a result with __proto__"],
      thrown["a proxy"],
      exhaustion["an endless loop of promises"],
      exhaustion.memory,
      exhaustion["a deep result"],
    ];
    for (const attack of attacks) {
      assert.ok(attack);
      await platform.json("PUT", `/tools/${id}`, { func: attack.code });
      const running = platform.json<{ text: string }>("POST", `/prediction/${agentId}`, { question: "Go" });
      await assertUnharmed(platform);
      assert.equal((await running).text, "It is over.");
      // On a slow machine the deadline may come first: that contains it as well.
      assert.match(
        read.at(-1) ?? "",
        new RegExp(`${attack.outcome.source}|did not finish within`, attack.outcome.flags),
      );
    }
    assert.equal(read.length, attacks.length);
  });

  test("trials do not take the place of agents' tools", async (t) => {
    const script: Script = ({ messages }) =>
      messages.at(-1)?.role === "tool"
        ? { text: String(messages.at(-1)?.content) }
        : { toolCalls: [{ name: "Honest", arguments: {} }] };
    const platform = await openScriptedPlatform(t, databases, script);
    const { id } = await platform.json<Tool>("POST", "/tools", { name: "Honest", func: "return 'served'" });
    const tools = [{ type: "custom-tool", config: { toolId: id } }];
    const agentId = await agentWith(platform, flowOf("agent", "Agent", { tools }));
    let ended = 0;
    const body = { func: "while (true);", timeoutMs: 30_000 };
    for (let hog = 0; hog < 8; hog += 1) {
      void platform.send("POST", `/tools/${id}/test`, body).finally(() => {
        ended += 1;
      });
    }
    const { text } = await platform.json<{ text: string }>("POST", `/prediction/${agentId}`, { question: "Go" });
    assert.deepEqual([text, ended], ["served", 0]);
  });
});
