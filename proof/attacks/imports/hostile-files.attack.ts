import assert from "node:assert/strict";
import { defineAttack } from "../house/define-attack.ts";
import { assertQuick } from "../house/hold-answers.ts";

const head = 'import { Agent, Runner } from "@openai/agents";\nconst a = new Agent({ name: "A", model: "gpt-4o" });\n';
const workflow = "kind: workflow\ntrigger:\n  kind: OnConversationStart\n  actions:\n";

/** Files made to cost their reader time, memory or the process. */
const files: Readonly<Record<string, { name: string; text: string }>> = {
  "anchors that grow a thousandfold": {
    name: "a.yaml",
    text: `${Array.from({ length: 12 }, (_, n) => `a${n}: &a${n} [${n === 0 ? "x" : `*a${n - 1}`}${`,*a${Math.max(0, n - 1)}`.repeat(n === 0 ? 0 : 9)}]`).join("\n")}\n${workflow}    - kind: SendActivity\n      activity: *a11\n`,
  },
  "an anchor in itself": { name: "b.yaml", text: `kind: workflow\nactions: &a\n  - kind: If\n    actions: *a\n` },
  "nesting in YAML": { name: "c.yaml", text: `${workflow}    - ${"[".repeat(100_000)}` },
  "nesting in a program": { name: "d.ts", text: `${head}const x = ${"(".repeat(100_000)}1${")".repeat(100_000)};` },
  "nesting in an expression": {
    name: "e.yaml",
    text: `${workflow}    - kind: SetVariable\n      variable: Local.A\n      value: =${"(".repeat(50_000)}1\n`,
  },
  "one long line": { name: "f.py", text: `from agents import Agent\na = Agent(name="${"x".repeat(3_900_000)}")` },
  "a million statements": { name: "g.ts", text: head + "state.x = state.x + 1;\n".repeat(40_000) },
  "half a program": { name: "h.ts", text: `${head}${"if (a) { const b = `${c.".repeat(20_000)}` },
  "prototype keys": {
    name: "i.yaml",
    text: `kind: workflow\n__proto__: { polluted: 1 }\nactions:\n  - kind: SetVariable\n    variable: Local.__proto__.polluted\n    value: =1\n  - kind: SetVariable\n    variable: Local.constructor\n    value: =1\n`,
  },
  "hundreds of agents": {
    name: "l.ts",
    text: `${head}export const runWorkflow = async (workflow: { input_as_text: string }) => {\nconst runner = new Runner();\n${Array.from({ length: 250 }, (_, n) => `if (workflow.input_as_text === "${n}") { const r${n} = await runner.run(a, [{ role: "user", content: "${n}" }]); return r${n}; }`).join("\n")}\n};`,
  },
  "a million values": { name: "m.json", text: `{"nodes":[${"1,".repeat(1_000_000)}1]}` },
  "code that acts": {
    name: "j.ts",
    text: `${head}process.exit(1);\nrequire("fs").writeFileSync("/tmp/acted", "1");\nexport const x = (() => { while (true) {} })();`,
  },
};

const answerMs = 2_000;

export const attack = defineAttack({
  name: "a key that may import sends files that no reader gets through",
  async run(house) {
    const holder = await house.keyHolder({ permissions: ["agents:read", "agents:write"] });
    let slowest = 0;
    for (const [what, file] of Object.entries(files)) {
      const startedAt = performance.now();
      const { status, text } = await holder.send("POST", "/api/v1/flows/read", { files: [file] });
      const tookMs = performance.now() - startedAt;
      slowest = Math.max(slowest, tookMs);
      assertQuick(tookMs, answerMs);
      assert.ok(status === 200 || status === 422 || status === 413, `${what}: ${status} ${text.slice(0, 300)}`);
    }
    const [, honest] = await Promise.all([
      holder.send("POST", "/api/v1/flows/read", { files: [files["a million statements"]] }),
      holder.send("POST", "/api/v1/flows/read", {
        files: [{ name: "k.yaml", text: `${workflow}    - kind: SendActivity\n      activity: Hi\n` }],
      }),
    ]);
    assert.equal(honest.status, 200, honest.text.slice(0, 300));
    return `${Object.keys(files).length} files were answered, the slowest within ${slowest.toFixed(0)} ms.`;
  },
});
