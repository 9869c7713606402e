import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ImportedFlow } from "@weft/dialects/importer";
import { fixture, imported, script } from "./testing/fixture.ts";

const withTool = (settings: string) =>
  script(`const mcp = hostedMcpTool({ serverLabel: "Notes", serverUrl: "https://notes.example/mcp", ${settings} });
const agent = new Agent({ name: "A", instructions: "Go.", model: "m", tools: [mcp] });
export const runWorkflow = async (workflow) => { await runner.run(agent, workflow.input_as_text); };`);

const secretsOf = ({ secrets }: ImportedFlow) => secrets.map(({ credentialName, data }) => [credentialName, data]);

describe("secrets of a program", () => {
  it("are taken out of what is around them", () => {
    const cel = (inner: string) => JSON.stringify(JSON.stringify({ expression: inner, format: "cel" }));
    const base64 = Buffer.from("plain-token-1").toString("base64");
    const cases: [string, string][] = [
      ['authorization: "token-1"', "token-1"],
      ['authorization: "Bearer token-1"', "token-1"],
      [`authorization: ${cel('"token-1"')}`, "token-1"],
      [`authorization: ${cel(`"${base64}"`)}`, "plain-token-1"],
      ['headers: { Authorization: "Bearer token-1" }', "token-1"],
      ["authorization: `Bearer token-${1}`", "token-1"],
    ];
    for (const [settings, token] of cases) {
      const flow = imported(withTool(settings));
      assert.deepEqual(secretsOf(flow), [["httpBearerToken", { token }]], settings);
      assert.deepEqual(flow.secrets[0]?.places, [{ nodeId: "a", path: "tools.0.config.credential" }]);
      assert.equal(flow.secrets[0]?.host, "notes.example");
      assert.ok(flow.codes.includes("warning import-secret-found"));
      assert.match(flow.findings.map(({ message }) => message).join(), /Rotate it/);
    }
    assert.deepEqual(secretsOf(imported(withTool('headers: { "X-Api-Key": "k" }'))), [
      ["httpApiKey", { key: "X-Api-Key", value: "k" }],
    ]);
  });

  it("that a server keeps are asked for by name", () => {
    const cel = JSON.stringify(JSON.stringify({ expression: "${NOTES_TOKEN}", format: "cel" }));
    const settings = [
      "authorization: process.env.NOTES_TOKEN",
      `authorization: ${cel}`,
      "authorization: `Bearer ${process.env.NOTES_TOKEN}`",
      'authorization: "${NOTES_TOKEN}"',
      'headers: { "X-Api-Key": process.env.NOTES_TOKEN! }',
    ];
    for (const setting of settings) {
      const { secrets, choices } = imported(withTool(setting));
      assert.deepEqual(secrets, [], setting);
      const asked = choices.find(({ kind }) => kind === "credential");
      assert.deepEqual(asked?.name, "NOTES_TOKEN", setting);
      assert.deepEqual(asked?.places, [{ nodeId: "a", path: "tools.0.config.credential" }]);
    }
    const python = imported(fixture("connector.py")).choices.map(({ kind, name }) => `${kind} ${name}`);
    assert.deepEqual(python, ["model o4-mini", "credential NOTES_TOKEN"]);
  });

  it("in an address are kept beside it", () => {
    const { config, secrets, codes } = imported(fixture("mcp-and-context.ts"));
    const [tool] = config("producer_printer").tools as { config: { url: string } }[];
    assert.equal(tool?.config.url, "https://tools.example/mcp?lang=de");
    assert.deepEqual(
      secrets.map(({ credentialName, places }) => `${credentialName} ${places.length}`),
      ["httpBearerToken 2", "httpApiKey 0", "httpBasicAuth 0", "httpApiKey 0"],
    );
    assert.ok(codes.includes("warning import-secret-address"));
  });

  it("stand nowhere in the flow, the findings or the choices", () => {
    const places = [
      (mark: string) => withTool(`authorization: "${mark}"`),
      (mark: string) => withTool(`authorization: "Bearer ${mark}"`),
      (mark: string) =>
        withTool(`authorization: ${JSON.stringify(JSON.stringify({ expression: `"${mark}"`, format: "cel" }))}`),
      (mark: string) =>
        withTool(
          `authorization: ${JSON.stringify(JSON.stringify({ expression: `"${Buffer.from(mark).toString("base64")}"`, format: "cel" }))}`,
        ),
      (mark: string) => withTool(`authorization: process.env.X || "${mark}"`),
      (mark: string) => withTool(`authorization: \`Bearer ${mark}\``),
      (mark: string) => withTool(`authorization: "a" + unknownThing("${mark}")`),
      (mark: string) => withTool(`headers: { "X-Secret": "${mark}", cookie: "sid=${mark}" }`),
      (mark: string) => withTool(`headers: { Authorization: ["${mark}"] }`),
      (mark: string) => withTool(`connectorId: "connector_x", authorization: "${mark}"`),
      (mark: string) => withTool(`requireApproval: "${mark}"`),
      (mark: string) =>
        script(`const mcp = hostedMcpTool({ serverLabel: "N", serverUrl: "https://n.example/${mark}/mcp" });
        const a = new Agent({ name: "A", model: "m", tools: [mcp] }); run(a, "x");`),
      (mark: string) =>
        script(`const mcp = hostedMcpTool({ serverLabel: "N", serverUrl: "https://me:${mark}@n.example/mcp?key=${mark}&x=${mark}" });
        const a = new Agent({ name: "A", model: "m", tools: [mcp] }); run(a, "x");`),
      (mark: string) =>
        script(`const client = new OpenAI({ apiKey: "${mark}" }); setDefaultOpenAIKey("${mark}");
        const a = new Agent({ name: "A", model: "m", modelSettings: { extraHeaders: { k: "${mark}" } } });
        if (check("${mark}")) { throw new Error("${mark}"); } fetch("https://x.example?key=${mark}"); run(a, "x");`),
      (mark: string) => ({
        name: "a.py",
        text: `from agents import Agent, Runner, HostedMCPTool\nmcp = HostedMCPTool(tool_config={"type": "mcp", "server_label": "n", "server_url": "https://n.example", "authorization": "${mark}", "headers": {"Authorization": "Bearer ${mark}"}})\nos.environ["OPENAI_API_KEY"] = "${mark}"\na = Agent(name="A", tools=[mcp], model="m")\nasync def run_workflow(i):\n  api_key = "${mark}"\n  await post(api_key)\n  return await Runner.run(a, i)\n`,
      }),
    ];
    const shapes = [
      () => `mark${random()}`,
      () => `sk-proj-${random()}${random()}`,
      () => `ghp_${random()}${random()}`,
    ];
    for (const place of places) {
      for (const shape of shapes) {
        const mark = shape();
        const file = place(mark);
        const { flow, findings, choices } = imported(file);
        const shown = JSON.stringify([flow, findings, choices]);
        assert.ok(!shown.includes(mark), file.text);
        assert.ok(!shown.includes(Buffer.from(mark).toString("base64")), file.text);
      }
    }
  });

  it("of well-known shapes are taken out of texts for agents, too", () => {
    const token = `sk-${random()}${random()}`;
    const file = script(
      `const a = new Agent({ name: "A", instructions: "Use ${token} now.", model: "m" }); run(a, "key ${token}");`,
    );
    assert.ok(!JSON.stringify(imported(file)).includes(token));
  });
});

let seed = 7;
/** Letters and digits, the same in every run. */
function random(): string {
  let text = "";
  for (let index = 0; index < 20; index += 1) {
    seed = (seed * 48_271) % 2_147_483_647;
    text += (seed % 36).toString(36);
  }
  return `${text}4f`;
}
