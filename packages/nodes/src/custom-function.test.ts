import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { NodeServices } from "@weft/engine/node";
import type { SandboxCall, SandboxResult } from "@weft/engine/ports/sandbox";
import { createScriptedModel, noServices } from "@weft/engine/testing";
import { type EffectKind, type Json, WeftError } from "@weft/schema";
import { chain, createFlowProcess, findingsOf, modelServices, runFlow } from "./testing/run-flow.ts";

const node = (code: string, config: object = {}) => ({
  id: "fn",
  type: "custom-function",
  config: { code, ...config },
});

/** A sandbox that answers as told and keeps what it was asked. */
function sandboxed(answer: Json | SandboxResult = "done") {
  const calls: SandboxCall[] = [];
  const isResult = answer !== null && typeof answer === "object" && "ok" in answer;
  const result = isResult ? (answer as SandboxResult) : { ok: true as const, value: answer as Json, logs: ["seen"] };
  const sandbox: NodeServices["sandbox"] = {
    async run(call) {
      calls.push(call);
      return result;
    },
  };
  return { calls, services: { sandbox } };
}

async function kindOf(code: string, config: object = {}): Promise<EffectKind | undefined> {
  const run = await runFlow(chain(node(code, config)), { services: sandboxed().services });
  const started = run.events.find((event) => event.type === "effect-started");
  return started?.type === "effect-started" ? started.kind : undefined;
}

describe("custom function node", () => {
  it("gives the code its variables, $vars, $flow and $input", async () => {
    const { services, calls } = sandboxed();
    const variables = [
      { name: "city", value: "{{ question }}" },
      { name: "$list", value: "{{ $vars.list }}" },
      { name: " ", value: "nothing" },
      { name: "vars", value: "not mine" },
    ];
    await runFlow(chain(node("return $city", { variables, timeoutMs: 500 })), {
      services,
      vars: { list: [1, 2] },
      input: { question: "Ulm" },
    });
    const [call] = calls;
    const { $flow, ...globals } = call?.globals ?? {};
    assert.deepEqual(globals, { $city: "Ulm", $list: [1, 2], $vars: { list: [1, 2] }, $input: "Ulm" });
    assert.partialDeepStrictEqual($flow, { chatId: "chat-1", input: "Ulm", state: {} });
    assert.deepEqual([call?.code, call?.timeoutMs], ["return $city", 500]);
  });

  it("passes on what the code returns, as text and as data", async () => {
    const cases: [Json, string, Json][] = [
      ["words", "words", "words"],
      ['{"a":1}', '{"a":1}', { a: 1 }],
      [{ a: [1] }, '{"a":[1]}', { a: [1] }],
      [7, "7", 7],
      [null, "", null],
      ["", "", ""],
    ];
    for (const [value, content, data] of cases) {
      const run = await runFlow(chain(node("return 1")), { services: sandboxed(value).services });
      assert.equal(run.text, content);
      assert.deepEqual(run.outputOf("fn"), { content, data });
    }
  });

  it("says its text in the conversation only where it has a role", async () => {
    const heard: [object, string[]][] = [
      [{}, ["hello"]],
      [{ responseRole: "user" }, ["done", "hello"]],
    ];
    for (const [config, contents] of heard) {
      const model = createScriptedModel([{ text: "ok" }]);
      const services = { ...sandboxed().services, ...modelServices(model) };
      await runFlow(chain(node("return 1", config), { id: "llm", type: "llm" }), { services });
      assert.deepEqual(
        model.calls[0]?.messages.map(({ content }) => content),
        contents,
      );
    }
  });

  it("fails with the error of the code", async () => {
    const failed: SandboxResult = { ok: false, error: { name: "RangeError", message: "too far" }, logs: [] };
    const run = await runFlow(chain(node("throw 1")), { services: sandboxed(failed).services });
    assert.equal(run.error?.code, "flow-node-failed");
    assert.equal(run.error?.message, "Custom function: RangeError: too far");
  });

  it("fails as what it called failed, where it passes those words on: they are not for visitors", async () => {
    const said = 'relation "salaries" does not exist';
    const asking = (message: string): NodeServices["sandbox"] => ({
      async run({ sql, signal }) {
        const database = { engine: "sqlite", file: "a.db" } as const;
        const limits = { maxRows: 1, maxBytes: 1, timeoutMs: 1 };
        await sql?.run({ database, statement: "select 1", parameters: [], access: "read", ...limits, signal });
        return { ok: false, error: { name: "Error", message }, logs: [] };
      },
    });
    const sql: NodeServices["sql"] = {
      ...noServices.sql,
      run: async () => ({ ok: false, reason: said, retryable: false }),
    };
    const codeOf = async (message: string) =>
      (await runFlow(chain(node("return require('pg')")), { services: { sandbox: asking(message), sql } })).error?.code;
    assert.equal(await codeOf(`error: ${said}`), "tool-failed");
    assert.equal(await codeOf("Order not found"), "flow-node-failed");
  });

  it("calls out only where it names what does, and is then not repeated unless it may be", async () => {
    const { services, calls } = sandboxed();
    for (const code of [
      "return 1",
      "return await fetch('http://x')",
      "return require('axios').get('http://x')",
      "return new (require('typeorm').DataSource)({})",
      "const { Pool } = require(`pg`)",
      "const mysql = require('mysql2/promise')",
    ]) {
      await runFlow(chain(node(code)), { services: { ...services, http: noServices.http, sql: noServices.sql } });
    }
    for (const part of ["http", "sql"] as const) {
      assert.deepEqual(
        calls.map((call) => call[part] !== undefined),
        [false, true, true, true, true, true],
      );
    }
    assert.equal(await kindOf("return require('lodash').chunk([1])"), "read");
    assert.equal(await kindOf("return 1"), "read");
    assert.equal(await kindOf("return fetch('x')"), "write");
    assert.equal(await kindOf("return require('pg')"), "write");
    assert.equal(await kindOf("return fetch('x')", { idempotent: true }), "idempotent");
  });

  it("runs again after a crash only what may run again", async () => {
    for (const [code, outcome, times] of [
      ["return 1", "completed", 2],
      ["return fetch('x')", "failed", 1],
    ] as const) {
      const entered = Promise.withResolvers<void>();
      let calls = 0;
      const run = async (): Promise<SandboxResult> => {
        calls += 1;
        if (calls > 1) return { ok: true, value: 1, logs: [] };
        entered.resolve();
        return new Promise<never>(() => undefined);
      };
      const process = createFlowProcess(chain(node(code)), { services: { sandbox: { run } } });
      process.start();
      await entered.promise;
      assert.equal(await process.recover().done, outcome);
      assert.equal(calls, times);
    }
  });

  it("fails when there is no sandbox, and refuses settings out of bounds", async () => {
    const run = () => Promise.reject(new WeftError("flow-node-failed", { params: { reason: "The sandbox is gone." } }));
    const failed = await runFlow(chain(node("return 1")), { services: { sandbox: { run } } });
    assert.equal(failed.error?.message, "The sandbox is gone.");
    for (const config of [{ timeoutMs: 0 }, { timeoutMs: 300_001 }, { variables: [{ value: "x" }] }]) {
      assert.equal(findingsOf(node("", config))[0]?.code, "node-config-invalid");
    }
  });
});
