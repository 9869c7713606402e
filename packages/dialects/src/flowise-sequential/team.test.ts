import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import type { JsonObject } from "@weft/schema";
import { type ClassicTestNode, ref } from "../testing/classic-file.ts";
import { codesOf, nodeOf } from "../testing/foreign-file.ts";
import { closeSandbox, compileClassic, runClassic } from "../testing/run-classic.ts";
import { chatModel, sequentialFlow } from "../testing/sequential-file.ts";

after(closeSandbox);

const worker = (number: number, workerName: string, more: JsonObject = {}): ClassicTestNode => ({
  id: `worker_${number}`,
  inputs: {
    supervisor: ref("supervisor_0"),
    workerName,
    workerPrompt: "You write {what}.",
    promptValues: { what: "code" },
    ...more,
  },
});

function team(
  inputs: JsonObject = {},
  workers = [worker(0, "Writer"), worker(1, "Reviewer")],
  ...parts: ClassicTestNode[]
) {
  const supervisor = {
    model: ref("chatOpenAI_0"),
    supervisorName: "Boss",
    supervisorPrompt: "Lead {team_members}.",
    ...inputs,
  };
  return sequentialFlow([chatModel, ...parts, { id: "supervisor_0", inputs: supervisor }, ...workers]);
}

const next = (name: string, instructions: string) => ({
  text: JSON.stringify({ reasoning: "", next: name, instructions }),
});

describe("a supervisor and workers", () => {
  it("work until the supervisor finishes; the last worker answers", async () => {
    const script = [
      next("Writer", "Write it."),
      { text: "code" },
      next("Reviewer", "Check it."),
      { text: "fine" },
      next("FINISH", ""),
    ];
    const { text, said } = await runClassic(team(), { script });
    assert.equal(text, "fine");
    assert.equal(said[0]?.[0], "system: Lead Writer, Reviewer.");
    assert.deepEqual(said[1]?.slice(1), ["user: hello", "user: Write it."]);
    assert.match(said[1]?.[0] ?? "", /^system: You write code\.\n\n.*Reviewer\.$/s);
    assert.deepEqual(said[2]?.slice(1, -1), ["user: hello", "user: Write it.", "user: code"]);
    assert.match(said[2]?.at(-1) ?? "", /who acts next.*Writer, Reviewer, FINISH/s);
  });

  it("read the values of functions, which run once, before the supervisor", async () => {
    const kind = { id: "customFunction_0", output: "output", inputs: { javascriptFunction: 'return "poems";' } };
    const values = JSON.stringify({ where: ref("customFunction_0") });
    const size = {
      id: "customFunction_1",
      output: "output",
      inputs: {
        javascriptFunction: "return { words: `ten of ${$where}` };",
        functionInputVariables: values,
      },
    };
    const promptValues = JSON.stringify({ what: ref("customFunction_0"), much: ref("customFunction_1", ".words") });
    const writer = worker(0, "Writer", { workerPrompt: "You write {what}: {much}.", promptValues });
    const script = [
      next("Writer", "Write it."),
      { text: "roses" },
      next("Writer", "Again."),
      { text: "red" },
      next("FINISH", ""),
    ];
    const { text, said, order } = await runClassic(team({}, [writer], kind, size), { script });
    assert.equal(text, "red");
    assert.match(said[3]?.[0] ?? "", /^system: You write poems: ten of poems\.\n/);
    assert.deepEqual(order.slice(0, 4), ["start", "customFunction_0", "customFunction_1", "supervisor_0"]);
    assert.equal(order.filter((id) => id.startsWith("customFunction")).length, 2);
  });

  it("answer with the supervisor's words where nobody has to work", async () => {
    const { text } = await runClassic(team(), { script: [next("FINISH", "Hello yourself.")] });
    assert.equal(text, "Hello yourself.");
  });

  it("stop when the supervisor was asked too often, with the last words", async () => {
    const script = Array.from({ length: 20 }, (_, round) =>
      round % 2 === 0 ? next("Writer", "On") : { text: `v${round}` },
    );
    const { text, calls } = await runClassic(team({ recursionLimit: "4" }), { script });
    assert.equal(calls.length, 6);
    assert.equal(text, "v5");
  });

  it("sum up at the end where that is wanted", async () => {
    const script = [next("Writer", "Write."), { text: "code" }, next("FINISH", ""), { text: "summary" }];
    const { text, said } = await runClassic(team({ summarization: true }), { script });
    assert.equal(text, "summary");
    assert.deepEqual(said[3]?.slice(0, 3), ["user: hello", "user: Write.", "user: code"]);
  });

  it("fail where a model fails, and do not answer with nothing", async () => {
    const { end } = await runClassic(team(), { script: [{ text: "no JSON" }] });
    assert.equal(end?.type, "run-failed");
  });

  it("have models, tools, rounds and a memory of their own", () => {
    const own = worker(0, "Writer", { model: ref("chatOllama_0"), tools: [ref("calculator_0")], maxIterations: 2 });
    const parts: ClassicTestNode[] = [
      { id: "chatOllama_0", inputs: { modelName: "own" } },
      { id: "calculator_0" },
      { id: "agentMemory_0" },
    ];
    const { flow, findings } = compileClassic(
      team({ agentMemory: ref("agentMemory_0") }, [own, worker(1, "Writer")], ...parts),
    );
    assert.deepEqual(codesOf(findings), []);
    const { model, tools, maxRounds } = nodeOf(flow, "worker_0").config;
    assert.deepEqual(
      [model, (tools as JsonObject[]).map(({ type }) => type), maxRounds],
      [{ provider: "ollama", model: "own" }, ["calculator"], 2],
    );
    assert.deepEqual(nodeOf(flow, "worker_1").config.model, { provider: "openai", model: "m" });
    assert.equal(nodeOf(flow, "worker_1").label, "Writer 2");
    assert.equal(nodeOf(flow, "start").config.ephemeralMemory, false);
  });

  it("are told what they lack", () => {
    const codes = (...args: Parameters<typeof team>) => codesOf(compileClassic(team(...args)).findings);
    assert.deepEqual(codes({}, []), ["error worker-missing"]);
    assert.deepEqual(codes({}, [worker(0, "Writer", { promptValues: "" })]), ["warning prompt-values-missing"]);
  });
});
