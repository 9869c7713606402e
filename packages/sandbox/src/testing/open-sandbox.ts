import assert from "node:assert/strict";
import { after } from "node:test";
import type { SandboxCall } from "@weft/engine/ports/sandbox";
import { createSandbox } from "../create-sandbox.ts";

/** A sandbox for the tests of a file, with what its code returns, and `name: message` of what it fails with. */
export function openSandbox(options: Parameters<typeof createSandbox>[0]) {
  const sandbox = createSandbox(options);
  after(() => sandbox.close());
  const { signal } = new AbortController();
  const run = (code: string, rest: Partial<SandboxCall> = {}) => sandbox.run({ code, globals: {}, signal, ...rest });

  async function resultOf(code: string, rest: Partial<SandboxCall> = {}) {
    const result = await run(code, rest);
    assert.ok(result.ok, JSON.stringify(result));
    return result.value;
  }

  async function errorOf(code: string, rest: Partial<SandboxCall> = {}): Promise<string> {
    const result = await run(code, rest);
    assert.ok(!result.ok, JSON.stringify(result));
    assert.deepEqual(Object.keys(result.error), ["name", "message"]);
    return `${result.error.name}: ${result.error.message}`;
  }

  return { signal, run, resultOf, errorOf };
}
