import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type CliEnd, createTestShell, runCli } from "../../../server/src/cli/testing/run-cli.ts";
import { runFlowCommand } from "../flow-command.ts";

async function folder(t: TestContext, questions: string): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "weft-eval-"));
  t.after(() => rm(path, { recursive: true, force: true }));
  await writeFile(join(path, "refunds.md"), "Refunds take five days. Money goes back to the card.");
  await writeFile(join(path, "shipping.md"), "Parcels leave on Mondays and travel by train.");
  await writeFile(join(path, "questions.yaml"), questions);
  return join(path, "questions.yaml");
}

/** Calls the command in this process. */
async function evaluate(file: string): Promise<CliEnd> {
  const { shell, ended } = createTestShell({ env: { EVENT_API: "false" } });
  const exitCode = await runFlowCommand(["retrieve-eval", file], Object.assign(new EventEmitter(), shell));
  return { ...ended(), exitCode };
}

const good = `documents: ["*.md"]
topK: 1
questions:
  - question: When do I get my money back?
    relevant: [refunds.md]
  - question: How do parcels travel?
    relevant: [shipping.md]
`;

test("prints recall@k and MRR of a question file", async (t) => {
  const { stdout, stderr, exitCode } = await runCli("flow", {
    args: ["retrieve-eval", await folder(t, good)],
  });
  assert.equal(exitCode, 0, stderr);
  assert.match(stdout, /rank 1 +recall 1\.00 {2}When do I get my money back\?/);
  assert.match(stdout, /recall@1 1\.000, MRR 1\.000 \(2 questions, 2 chunks\)/);
});

test("a passage without the words does not count", async (t) => {
  const words = good.replace("relevant: [refunds.md]", "relevant: [refunds.md]\n    words: [six days]");
  const { stdout, stderr, exitCode } = await evaluate(await folder(t, words));
  assert.equal(exitCode, 0, stderr);
  assert.match(stdout, /recall@1 0\.500, MRR 0\.500/);
});

test("says what is wrong with a question file", async (t) => {
  for (const [text, message] of [
    [good.replace("[shipping.md]", "[other.md]"), /other\.md, which is none of the documents/],
    [good.replace("*.md", "*.pdf"), /no document matches \*\.pdf/],
    ["documents: []", /questions/],
    ["{", /neither YAML nor JSON/],
  ] as const) {
    const { stderr, exitCode } = await evaluate(await folder(t, text));
    assert.deepEqual([exitCode, message.test(stderr)], [2, true], stderr);
  }
});
