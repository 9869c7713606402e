import assert from "node:assert/strict";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { createEgressClient } from "@weft/egress";
import type { SandboxCall } from "@weft/engine/ports/sandbox";
import { createSandbox, type SandboxOptions } from "./index.ts";

const share = (name: string) => ({ name, isAnonymous: false });

/** A server that answers nobody before `release`, and a sandbox whose calls may ask it. */
async function openBench(t: TestContext, options: SandboxOptions = {}) {
  const held: ServerResponse[] = [];
  const waiters: { count: number; resolve(): void }[] = [];
  let isReleased = false;
  let received = 0;
  const server = createServer((_request, response) => {
    received += 1;
    if (isReleased) response.end("late");
    else held.push(response);
    for (const waiter of waiters) if (received >= waiter.count) waiter.resolve();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const http = createEgressClient({ allow: [`127.0.0.1:${port}`] });
  const sandbox = createSandbox(options);
  const over = new AbortController();
  t.after(async () => {
    over.abort(new Error("over"));
    await sandbox.close();
    server.closeAllConnections();
    server.close();
    await http.close();
  });
  const run = async (name: string, code: string, rest: Partial<SandboxCall> = {}) => {
    const globals = { $url: `http://127.0.0.1:${port}/` };
    const call = { code, globals, http, timeoutMs: 60_000, signal: over.signal, share: share(name), ...rest };
    const result = await sandbox.run(call);
    return result.ok ? result.value : `${result.error.name}: ${result.error.message}`;
  };
  return {
    run,
    received: () => received,
    /** Resolves when this many requests have arrived. */
    asked(count: number) {
      const { promise, resolve } = Promise.withResolvers<void>();
      if (received >= count) resolve();
      waiters.push({ count, resolve });
      return promise;
    },
    release() {
      isReleased = true;
      for (const response of held.splice(0)) response.end("answer");
    },
  };
}

/** Native code of the interpreter, which no interrupt reaches. It must have begun by its deadline, on a busy machine too. */
const hangs = "return Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)";
const hangMs = 1_000;

const waits = "return await (await fetch($url)).text()";

test("functions that wait for a slow service keep nobody else waiting", async (t) => {
  const { run, asked, release } = await openBench(t);
  const waiting = Array.from({ length: 40 }, () => run("slow", waits));
  await asked(40);
  assert.equal(await run("other", "return 6 * 7"), 42);
  release();
  assert.deepEqual([...new Set(await Promise.all(waiting))], ["answer"]);
});

test("functions that compute without end leave threads to others", async (t) => {
  const { run } = await openBench(t, { workers: 4 });
  const over = new AbortController();
  const spinning = Array.from({ length: 20 }, () => run("endless", "while (true);", { signal: over.signal }));
  const ended = Promise.allSettled(spinning);
  assert.equal(await run("other", "return 1"), 1);
  over.abort(new Error("enough"));
  await ended;
});

test("where every thread is owned, a call runs in one that rests; one that computes long moves out", async (t) => {
  const { run, asked, release } = await openBench(t, { workers: 2 });
  const owners = [run("a", waits), run("b", waits)];
  await asked(2);
  assert.equal(await run("c", "return 'brief'"), "brief");
  const long = run("d", "let n = 0; for (let i = 0; i < 5e6; i++) n += i % 3; return n");
  assert.equal(await run("e", "return 'meanwhile'"), "meanwhile");
  assert.equal(await long, 4_999_999);
  release();
  assert.deepEqual(await Promise.all(owners), ["answer", "answer"]);
});

test("the time in which another call had the thread is nobody's own", async (t) => {
  const { run, asked, release } = await openBench(t, { workers: 1 });
  const patient = run("a", waits, { timeoutMs: 2_000 });
  await asked(1);
  const busy = run("a", "while (true);", { timeoutMs: 3_000 });
  release();
  assert.match(String(await busy), /^TimeoutError: .* within 3000 ms/);
  assert.equal(await patient, "answer");
});

test("a call whose thread another one breaks begins again, and no request is made twice", async (t) => {
  const { run, asked, received, release } = await openBench(t, { workers: 1 });
  const twice = "const first = await fetch($url + 1); const second = await fetch($url + 2); return await first.text()";
  const bystander = run("a", twice);
  await asked(1);
  assert.match(String(await run("a", hangs, { timeoutMs: hangMs })), /^TimeoutError/);
  release();
  assert.equal(await bystander, "answer");
  assert.equal(received(), 2);
});

test("a call that began again and asks for something else asks nobody", async (t) => {
  const { run, asked, received, release } = await openBench(t, { workers: 1 });
  const bystander = run("a", "return await (await fetch($url + Math.random())).text()");
  await asked(1);
  await run("a", hangs, { timeoutMs: hangMs });
  release();
  assert.match(String(await bystander), /^TypeError: The code was interrupted and started again/);
  assert.equal(received(), 1);
});

test("a share has its part of the line and no more", async (t) => {
  const { run } = await openBench(t, { workers: 1, maxWaiting: 4 });
  const over = new AbortController();
  const spinning = run("greedy", "while (true);", { signal: over.signal });
  const refused = { code: "sandbox-at-capacity", message: /Try again in 5 seconds/ };
  const second = run("greedy", "return 2");
  const third = run("greedy", "return 3");
  await assert.rejects(run("greedy", "return 4"), refused);
  const other = run("other", "return 1");
  over.abort(new Error("enough"));
  await assert.rejects(spinning, /enough/);
  assert.deepEqual(await Promise.all([second, third, other]), [2, 3, 1]);
});
