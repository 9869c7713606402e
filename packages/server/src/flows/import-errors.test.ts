import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { createScriptedOpenAiServer } from "@weft/providers/testing";
import {
  type ErrorBody,
  type Finding,
  type FlowImport,
  type FlowReading,
  flowDocumentSchema,
  type JsonObject,
} from "@weft/schema";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { importErrorCodes } from "../../../dialects/src/import-error.ts";
import { openTestPlatform } from "../testing/test-platform.ts";
import { refusedFiles } from "./testing/refused-files.ts";

type Platform = Awaited<ReturnType<typeof openTestPlatform>>;

async function sentenceOf(platform: Platform, code: string, files: object[]): Promise<string> {
  const { findings } = await platform.json<FlowReading>("POST", "/flows/read", { files });
  const found = findings.find((finding) => finding.level === "error" && finding.code === code);
  const said = findings.map((finding) => `${finding.level} ${finding.code}: ${finding.message}`).join("\n");
  assert.ok(found, `Expected ${code}, found:\n${said}`);
  return found.message;
}

async function answeringModel(t: Pick<TestContext, "after">) {
  const model = await createScriptedOpenAiServer({ script: () => ({ text: "An answer." }) });
  t.after(() => model.close());
  return { OPENAI_API_KEY: "k", OPENAI_BASE_URL: model.url, DEFAULT_MODEL: "scripted" };
}

async function refusal(platform: Platform, path: string, body: object): Promise<ErrorBody> {
  const response = await platform.send("POST", path, body);
  assert.notEqual(response.status, 200, `POST ${path} went through.`);
  return (await response.json()) as ErrorBody;
}

await onTestDatabase((databases) => {
  describe("what an import refuses", () => {
    it("stays refused once it is stored, with the same sentence, for every error", { timeout: 120_000 }, async (t) => {
      const platform = await openTestPlatform(t, databases, await answeringModel(t));
      for (const code of importErrorCodes) {
        assert.ok(refusedFiles[code].length > 0, `No file causes ${code}.`);
        for (const files of refusedFiles[code]) {
          await t.test(`${code}: ${files[0]?.name}`, async () => {
            const sentence = await sentenceOf(platform, code, files);
            const stored = await platform.send("POST", "/flows/import", { files });
            if (stored.status === 422) {
              const { message } = (await stored.json()) as ErrorBody;
              assert.ok(message.includes(sentence), message);
              return;
            }
            const { agent, findings } = (await stored.json()) as FlowImport;
            assert.ok(findings.some(({ message }) => message === sentence));
            const kept = await platform.json<Finding[]>("GET", `/chatflows/${agent.id}/findings`);
            assert.deepEqual(
              kept.filter(({ message }) => message === sentence).map((finding) => [finding.level, finding.code]),
              [["error", code]],
            );
            const { message } = await refusal(platform, `/prediction/${agent.id}`, { question: "Hi" });
            assert.ok(message.includes(sentence), message);
          });
        }
      }
    });

    it("ends when it is taken out of its step, and stays in copies until then", async (t) => {
      const platform = await openTestPlatform(t, databases, await answeringModel(t));
      const files = refusedFiles["import-guardrail-missing"][0] ?? [];
      const { agent } = await platform.json<FlowImport>("POST", "/flows/import", { files });
      const copy = await platform.json<FlowImport>("POST", "/flows/import", {
        files: [{ name: "copy.json", text: agent.flowData }],
      });
      const { message } = await refusal(platform, `/prediction/${copy.agent.id}`, { question: "Hi" });
      assert.match(message, /guardrail "Crystal Ball", which has no counterpart here/);
      const { nodes, ...rest } = flowDocumentSchema.parse(JSON.parse(copy.agent.flowData));
      const settled = { ...rest, nodes: nodes.map(({ refused: _, ...node }) => node) };
      await platform.json("PUT", `/chatflows/${copy.agent.id}`, { flowData: JSON.stringify(settled) });
      const answer = await platform.json<{ text: string }>("POST", `/prediction/${copy.agent.id}`, { question: "Hi" });
      assert.equal(answer.text, "An answer.");
    });

    it("ends when the setting that it names gets a value, and comes back without it", async (t) => {
      const platform = await openTestPlatform(t, databases, await answeringModel(t));
      const files = refusedFiles["model-unsupported"][0] ?? [];
      const { agent } = await platform.json<FlowImport>("POST", "/flows/import", { files });
      const flow = flowDocumentSchema.parse(JSON.parse(agent.flowData));
      const errorsWith = async (model: JsonObject) => {
        const nodes = flow.nodes.map((node) =>
          node.type === "llm" ? { ...node, config: { ...node.config, model } } : node,
        );
        const flowData = JSON.stringify({ ...flow, nodes });
        const { findings } = await platform.json<FlowReading>("POST", "/flows/read", { flowData });
        return findings.filter(({ level }) => level === "error").map(({ code, path }) => `${code} ${path}`);
      };
      assert.deepEqual(await errorsWith({}), ["model-unsupported model"]);
      assert.deepEqual(await errorsWith({ provider: "", model: "" }), ["model-unsupported model"]);
      assert.deepEqual(await errorsWith({ provider: "openai" }), []);
    });
  });
});
