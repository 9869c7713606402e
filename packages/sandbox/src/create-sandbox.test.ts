// @process own: it measures its memory.
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { constants, getPriority, platform } from "node:os";
import { test } from "node:test";
import { createSandbox } from "./index.ts";
import { openSandbox } from "./testing/open-sandbox.ts";

const { signal, run, resultOf, errorOf } = openSandbox({ workers: 2 });

test("returns JSON values; nothing and undefined are null", async () => {
  assert.deepEqual(await resultOf("return { a: [1, 'zwei', null, true], b: {} };"), {
    a: [1, "zwei", null, true],
    b: {},
  });
  assert.equal(await resultOf(""), null);
  assert.equal(await resultOf("return undefined // trailing comment"), null);
  assert.equal(await resultOf("return () => 1"), null);
  assert.equal(await resultOf("return NaN"), null);
  assert.equal(await resultOf("return new Date(0)"), "1970-01-01T00:00:00.000Z");
  assert.equal(await resultOf("return 'a\\u0000b\\ud800'"), "a\u0000b\ud800");
  assert.match(await errorOf("return 10n"), /^TypeError: .*BigInt/);
  assert.match(await errorOf("const a = []; a[0] = a; return a"), /^TypeError: circular/);
});

test("awaits, also across many turns", async () => {
  assert.equal(
    await resultOf("let n = 0; for (let i = 0; i < 5000; i++) n += await Promise.resolve(1); return n"),
    5000,
  );
  assert.deepEqual(await resultOf("return await Promise.all([1, (async () => 2)()])"), [1, 2]);
});

test("globals are copied constants", async () => {
  const globals = { $url: "http://x", $options: { headers: { a: "1" } }, "not an identifier": 1 };
  assert.equal(await resultOf("$options.headers.a = '2'; return $url + $options.headers.a", { globals }), "http://x2");
  assert.equal(globals.$options.headers.a, "1");
  assert.match(await errorOf("'use strict'; $url = 1", { globals }), /^TypeError: .*read-only/);
  assert.equal(await resultOf("const $url = 2; return $url", { globals }), 2);
  assert.match(await errorOf("return 1", { globals: { undefined: 1 } }), /^TypeError/);
});

test("console output is kept, whatever the code then does", async () => {
  const ended = await run(
    "console.log('a', 1, { b: [2] }, null, undefined); console.error(new RangeError('no')); throw 1",
  );
  assert.equal(ended.ok, false);
  assert.deepEqual(ended.logs, ['a 1 {"b":[2]} null undefined', "RangeError: no"]);
  const odd = await run("const c = {}; c.c = c; console.log(Symbol('s'), c, 1n, () => 1)");
  assert.match(odd.logs[0] ?? "", /^Symbol\(s\) \[unprintable\] \[unprintable\] /);
  assert.deepEqual((await run("return 1")).logs, []);
});

test("console output is limited", async () => {
  const { logs } = await run("for (let i = 0; i < 5000; i++) console.log('x'.repeat(1000))");
  assert.equal(logs.length, 66);
  assert.equal(logs.at(-1), "(further output was dropped)");
});

test("errors come as name and message", async () => {
  assert.equal(await errorOf("throw new RangeError('too far')"), "RangeError: too far");
  assert.equal(await errorOf("class Own extends Error { name = 'Own' } throw new Own('x')"), "Own: x");
  assert.match(await errorOf("return )("), /^SyntaxError: ./);
  assert.match(await errorOf("return } async () => {"), /^SyntaxError: ./);
  assert.match(await errorOf("await import('node:fs')"), /./);
  assert.match(await errorOf("return nowhere.x"), /^ReferenceError: .*nowhere/);
  assert.equal(await errorOf("await Promise.reject(new TypeError('later'))"), "TypeError: later");
});

test("exotic things can be thrown and returned", async () => {
  assert.equal(await errorOf("throw null"), "Error: null");
  assert.equal(await errorOf("throw undefined"), "Error: undefined");
  assert.equal(await errorOf("throw 'text'"), "Error: text");
  assert.equal(await errorOf("throw Symbol('s')"), "Error: Symbol(s)");
  assert.equal(await errorOf("throw new Proxy({}, { get() { throw 1 } })"), "Error: ");
  assert.equal(await errorOf("throw { get name() { throw 1 }, get message() { throw 2 } }"), "Error: ");
  assert.equal(await errorOf("throw { name: { toString() { throw 1 } }, message: 5n }"), "Error: ");
  assert.equal(await errorOf("const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); throw proxy"), "Error: ");
  assert.equal((await errorOf("throw new Error('m'.repeat(1e6))")).length, 2007);
  assert.equal(await errorOf("return { get a() { throw new Error('getter') } }"), "Error: getter");
  assert.equal(await errorOf("return { toJSON() { throw new Error('toJSON') } }"), "Error: toJSON");
  assert.equal(await errorOf("return { then(resolve, reject) { reject(new Error('thenable')) } }"), "Error: thenable");
});

test("nothing of the host is reachable", async () => {
  const reach = (code: string) => resultOf(`return this.constructor.constructor(${JSON.stringify(code)})()`);
  for (const name of ["process", "globalThis.module", "Deno", "WebAssembly", "fetch", "postMessage", "std", "os"]) {
    assert.equal(await reach(`return typeof ${name}`), "undefined", name);
  }
  assert.equal(await resultOf("return console.log.constructor('return typeof process')()"), "undefined");
  assert.equal(await resultOf("return (async () => {}).constructor('return typeof process')()"), "undefined");
  assert.equal(
    await resultOf("return Error.prepareStackTrace === undefined && !(new Error().stack ?? '').includes('/')"),
    true,
  );
  assert.equal(
    await resultOf("try { null.f() } catch (e) { return e.constructor.constructor('return typeof process')() }"),
    "undefined",
  );
});

test("tampering with prototypes and built-ins spoils only the own run", async () => {
  await run("Object.prototype.polluted = 1; Array.prototype.map = () => 'x'; globalThis.left = 1; return {}");
  assert.equal(({} as Record<string, unknown>).polluted, undefined);
  assert.equal(
    await resultOf("return [typeof left, [1].map(String)[0], ({}).polluted ?? 'clean'].join()"),
    "undefined,1,clean",
  );
  const attacks = [
    "Object.prototype.toJSON = () => 'x'; return {}",
    "JSON.stringify = () => 'v{'; JSON.parse = null; return 1",
    "String.prototype.slice = () => 5n; throw new Error('x')",
    "String.prototype.slice = () => ({ toString: 1 }); throw new Error('x')",
    "Promise.prototype.then = function (f) { f('v{'); }; await 1; return 1",
    "Object.defineProperty(Promise.prototype, 'constructor', { get() { throw 1 } }); return await (async () => 1)()",
    "globalThis.Promise = null; Object.defineProperty = null; return 1",
    "console.log = 1; Symbol.iterator = 1; return 1",
    "Object.setPrototypeOf(globalThis, new Proxy({}, { has() { return true } })); return typeof process",
  ];
  for (const code of attacks) assert.equal(typeof (await run(code, { timeoutMs: 2000 })).ok, "boolean", code);
  assert.equal(await resultOf("return 1"), 1);
});

test("a key __proto__ does not leave the sandbox", async () => {
  const value = await resultOf(`return JSON.parse('{"__proto__":{"admin":1},"a":[{"__proto__":1,"b":"__proto__"}]}')`);
  assert.deepEqual(Object.keys(value as object), ["a"]);
  assert.equal((value as { admin?: number }).admin, undefined);
  assert.deepEqual(value, { a: [{ b: "__proto__" }] });
});

test("an endless loop ends at the deadline while the host stays responsive", async () => {
  let ticks = 0;
  const ticker = setInterval(() => (ticks += 1), 5);
  assert.equal(
    await errorOf("while (true);", { timeoutMs: 150 }),
    "TimeoutError: The code did not finish within 150 ms.",
  );
  clearInterval(ticker);
  assert.ok(ticks >= 1);
});

test("no call may take longer than the sandbox allows", async (t) => {
  const bounded = createSandbox({ workers: 1, maxTimeoutMs: 80 });
  t.after(() => bounded.close());
  for (const rest of [{}, { timeoutMs: 60_000 }]) {
    const result = await bounded.run({ code: "while (true);", globals: {}, signal, ...rest });
    assert.equal(!result.ok && result.error.message, "The code did not finish within 80 ms.");
  }
});

test("on Linux the code computes at a lower priority than the server", { skip: platform() !== "linux" }, async () => {
  const before = getPriority();
  await run("return 1");
  const threads = await readdir("/proc/self/task");
  const stats = await Promise.all(
    threads.map((thread) => readFile(`/proc/self/task/${thread}/stat`, "utf8").catch(() => "")),
  );
  // proc_pid_stat(5): nice is the 19th field, the 17th after the name in parentheses.
  const priorities = stats.map((stat) => Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16]));
  assert.ok(priorities.includes(Math.max(before, constants.priority.PRIORITY_BELOW_NORMAL)));
  assert.equal(getPriority(), before);
});

test("every way to overstay ends at the deadline", async () => {
  const endless = [
    "while (true) await null",
    "for (;;) { try { while (true); } catch {} }",
    "try { await (async () => { while (true); })() } catch { while (true); }",
    "return /(a+)+$/.test('a'.repeat(50) + 'b')",
    "return { toJSON() { while (true); } }",
    "throw { get message() { while (true); } }",
    "return new Array(1e9).sort().length",
    "console.log({ toJSON() { while (true); } })",
  ];
  for (const code of endless) assert.match(await errorOf(code, { timeoutMs: 60 }), /^TimeoutError/, code);
  // A chain of promises takes memory as well: which limit it meets first is up to the machine.
  const chain = "const again = () => Promise.resolve().then(again); await again()";
  assert.match(await errorOf(chain, { timeoutMs: 60 }), /^TimeoutError|used too much memory/);
  assert.equal(await resultOf("return 'still here'"), "still here");
});

test("a deadline that passes before the code begins is one like any other", async () => {
  const results = await Promise.all(Array.from({ length: 20 }, () => run("return 1", { timeoutMs: 1 })));
  for (const result of results) assert.equal(result.ok ? "TimeoutError" : result.error.name, "TimeoutError");
});

test("code that waits for nothing is told so at once", async () => {
  assert.match(await errorOf("await new Promise(() => {})"), /^SandboxError: .*never happens/);
});

test("memory is bounded, and the next call has it all again", async (t) => {
  const tooMuch = /^RangeError: The code needs more memory|^InternalError: (out of memory|string too long)/;
  const bombs = [
    "const a = []; while (true) a.push(new Array(1000).fill(1))",
    "let s = 'x'.repeat(1000); const a = []; while (true) a.push(s + a.length)",
    "const a = []; while (true) a.push(new Uint8Array(1e6))",
    "const m = new Map(); for (let i = 0; ; i++) m.set(i, { i })",
    "return 'x'.repeat(2 ** 28)",
    "return new ArrayBuffer(2 ** 30)",
    "const p = []; for (let i = 0; i < 1e7; i++) p.push(Promise.resolve(i)); return (await Promise.all(p)).length",
    "const a = []; try { while (true) a.push(new Uint8Array(1e5)) } catch { while (true) a.push({}) }",
  ];
  const small = createSandbox({ memoryLimitBytes: 24 * 1024 * 1024 });
  t.after(() => small.close());
  const before = process.memoryUsage().rss;
  for (const code of bombs) {
    const result = await small.run({ code, globals: {}, signal });
    assert.match(result.ok ? "" : `${result.error.name}: ${result.error.message}`, tooMuch, code);
  }
  assert.ok(process.memoryUsage().rss - before < 200 * 1024 * 1024);
  const next = await small.run({ code: "return new Uint8Array(6e6).length", globals: {}, signal });
  assert.deepEqual(next, { ok: true, value: 6e6, logs: [] });
});

test("deep recursion is an error of the code", async () => {
  const deep = [
    "const f = () => f(); f()",
    "return JSON.parse('['.repeat(1e5) + ']'.repeat(1e5))",
    "let o = {}; for (let i = 0; i < 1e5; i++) o = { o }; return o",
    "let a = []; a.toString = a.join; for (let i = 0; i < 1e5; i++) a = [a]; return String(a)",
    "return eval('('.repeat(1e5) + '1' + ')'.repeat(1e5))",
    "return new RegExp('('.repeat(1e5) + ')'.repeat(1e5)).test('')",
    "let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); return p.x",
  ];
  for (const code of deep)
    assert.match(await errorOf(code, { timeoutMs: 3000 }), /overflow|memory|nested|capture/, code);
  assert.equal(await resultOf("return 1"), 1);
});

test("results are limited in size and depth", async () => {
  assert.match(await errorOf("return 'x'.repeat(1024 * 1024)"), /^RangeError: The result may have 1048576 bytes/);
  assert.match(await errorOf("return 'ü'.repeat(600 * 1024)"), /^RangeError: The result may have 1048576 bytes/);
  assert.equal(((await resultOf("return 'x'.repeat(1e6)")) as string).length, 1e6);
  const nested = (depth: number) => `let a = 1; for (let i = 0; i < ${depth}; i++) a = [a]; return a`;
  assert.match(await errorOf(nested(101)), /^RangeError: The result may be nested 100 levels/);
  assert.ok(await resultOf(nested(100)));
});

test("code and globals too large for the sandbox end the call, not the process", async () => {
  const globals = (size: number) => ({ huge: "x".repeat(size) });
  assert.match(
    await errorOf("return 1", { globals: globals(9e6) }),
    /^RangeError: The code and its values are too large/,
  );
  assert.equal(await resultOf("return huge.length", { globals: globals(8e6) }), 8e6);
  assert.equal(await resultOf("return 1"), 1);
});

test("aborting ends a run, a wait for a worker, and what has not begun, with the signal's reason", async () => {
  const reason = new Error("enough");
  const aborted = AbortSignal.abort(reason);
  await assert.rejects(run("return 1", { signal: aborted }), (error) => error === reason);
  const controller = new AbortController();
  const running = [1, 2, 3, 4].map(() => run("while (true);", { signal: controller.signal }));
  await run("return 1", { signal: AbortSignal.timeout(50) }).catch(() => {});
  controller.abort(reason);
  for (const result of await Promise.allSettled(running)) {
    assert.equal(result.status === "rejected" && result.reason, reason);
  }
  assert.equal(await resultOf("return 1"), 1);
});

test("more calls than workers wait their turn", async () => {
  const calls = Array.from({ length: 20 }, (_, index) => resultOf("return $n * 2", { globals: { $n: index } }));
  assert.deepEqual(
    await Promise.all(calls),
    Array.from({ length: 20 }, (_, index) => index * 2),
  );
});

test("closing ends what runs and refuses what comes", async () => {
  const closing = createSandbox({ workers: 1 });
  const call = { code: "while (true);", globals: {}, signal };
  const [running, waiting] = [closing.run(call), closing.run(call)];
  waiting.catch(() => {});
  running.catch(() => {});
  await closing.close();
  await assert.rejects(waiting, /The sandbox is closed/);
  await running.then(
    (result) => assert.equal(result.ok, false),
    (error: Error) => assert.match(error.message, /could not start|closed/),
  );
  await assert.rejects(closing.run(call), /The sandbox is closed/);
});

test("unused workers end, and start again when wanted", async () => {
  const brief = createSandbox({ idleMs: 1 });
  for (let call = 0; call < 3; call += 1) {
    assert.deepEqual(await brief.run({ code: "return 1", globals: {}, signal }), { ok: true, value: 1, logs: [] });
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await brief.close();
});
