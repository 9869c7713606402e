// @process own: it measures its memory.
// @tier long: broken and hostile code.
import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { describe, it } from "node:test";
import { importAgentBuilder, isAgentBuilderFile } from "./index.ts";
import { fixture, imported, script, workflow } from "./testing/fixture.ts";

const fixtures = readdirSync(new URL("testing/fixtures", import.meta.url)).map((name) =>
  fixture(name.replace(/\.txt$/, "")),
);

let seed = 20_261_123;
const random = (below: number): number => {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed % below;
};

/** Every edge leads from a node to another one, and every place that is asked for is that of a node. */
function assertSound(name: string, text: string): void {
  const { flow, choices, findings } = importAgentBuilder([{ name, text }]);
  const ids = new Set(flow.nodes.map(({ id }) => id));
  for (const { source, target } of flow.edges) assert.ok(ids.has(source) && ids.has(target));
  for (const { places } of choices) for (const { nodeId } of places) assert.ok(ids.has(nodeId));
  for (const { message } of findings) assert.ok(message.length < 2_000);
}

describe("a program that is not whole", () => {
  it("gives a flow and findings wherever it is cut", () => {
    for (const { name, text } of fixtures) {
      for (let part = 1; part < 25; part += 1) assertSound(name, text.slice(0, Math.floor((text.length * part) / 25)));
    }
  });

  it("gives a flow and findings whatever was changed in it", () => {
    const pieces = [
      "(",
      ")",
      "{",
      "}",
      "`",
      '"',
      "${",
      ";",
      "\n",
      "if",
      "while (true) {",
      "return ",
      "{{",
      ", ...x",
      "\0",
      "🚲",
    ];
    for (const { name, text } of fixtures) {
      for (let round = 0; round < 12; round += 1) {
        let changed = text;
        for (let times = 0; times < 4; times += 1) {
          const at = random(changed.length);
          const piece = pieces[random(pieces.length)] ?? "";
          changed = changed.slice(0, at) + piece + changed.slice(at + random(40));
        }
        assertSound(name, changed);
        assert.equal(typeof isAgentBuilderFile({ name, text: changed }), "boolean");
      }
    }
  });

  it("gives a flow and findings with its lines in any order", () => {
    for (const { name, text } of fixtures) {
      const lines = text.split("\n");
      for (let times = 0; times < 30; times += 1) {
        const [one, other] = [random(lines.length), random(lines.length)];
        [lines[one], lines[other]] = [lines[other] ?? "", lines[one] ?? ""];
      }
      assertSound(name, lines.join("\n"));
    }
  });
});

/** Ten times what the slowest of them takes: what does not end, or grows faster than its text, is beyond it. */
const slowMachineUs = 20_000_000;

describe("a hostile program", () => {
  it("is never executed", () => {
    const { findings, flow } = imported(fixture("hostile.ts"));
    assert.ok(findings.some(({ code }) => code === "agent-builder-code-unknown"));
    assert.equal(Reflect.get(globalThis, "agentBuilderWasHere"), undefined);
    assert.ok(!existsSync("/tmp/agent-builder-was-here"));
    assert.ok(!JSON.stringify(flow).includes("child_process"));
    assert.equal(Reflect.get({}, "polluted"), undefined);
  });

  it("costs little time and memory", () => {
    const chain = Array.from({ length: 400 }, (_, index) => `if (x == ${index}) { y = ${index}; } else `).join("");
    const runs = `const r = await runner.run(writer, [...conversationHistory]);`;
    const programs: [string, string][] = [
      ["one line", `const a = "${"x".repeat(10_000_000)}";`],
      ["parentheses", "(".repeat(100_000)],
      ["closed parentheses", `${"(".repeat(100_000)}1${")".repeat(100_000)}`],
      ["a deep list", `const a = ${"[".repeat(250)}${"]".repeat(250)}; run(a);`],
      ["a long sum", `const a = ${Array.from({ length: 20_000 }, () => "b").join(" + ")};`],
      ["many strings", `const a = \`${"${b}".repeat(20_000)}\`;`],
      ["else if", workflow(`${chain} { ${runs} }`).text],
      [
        "many ifs",
        workflow(
          `let out = 0; ${Array.from({ length: 200 }, (_, index) => `if (state.count == ${index}) { ${runs} out = ${index}; }`).join("\n")}`,
        ).text,
      ],
      [
        "names of names",
        script(`const a = b; const b = a; const c = c; function f() { return f(); } run(f(), c);`).text,
      ],
      [
        "doubling",
        script(
          `${Array.from({ length: 60 }, (_, index) => `const v${index + 1} = [v${index}, v${index}];`).join("\n")} const a = new Agent({ name: "A", instructions: v60 }); run(a, v60);`,
        ).text,
      ],
      [
        "doubled texts",
        script(
          `const v0 = "ab"; ${Array.from({ length: 60 }, (_, index) => `const v${index + 1} = v${index} + v${index};`).join("\n")} const a = new Agent({ name: "A", instructions: v60 }); run(a, "x");`,
        ).text,
      ],
      [
        "doubled calls",
        workflow(
          `${Array.from({ length: 40 }, (_, index) => `const v${index + 1} = { a: v${index}, b: v${index} };`).join("\n")} ${runs} return v40;`,
        ).text,
      ],
      ["code", "const x = f(1, { a: 2 });\n".repeat(38_000)],
    ];
    for (const [what, text] of programs) {
      for (const name of ["a.ts", "a.py"]) {
        const heap = process.memoryUsage().heapUsed;
        const started = process.cpuUsage();
        importAgentBuilder([{ name, text }]);
        isAgentBuilderFile({ name, text });
        const { user, system } = process.cpuUsage(started);
        assert.ok(user + system < slowMachineUs, `${what} in ${name}: ${user + system} µs`);
        assert.ok(
          process.memoryUsage().heapUsed - heap < 250_000_000,
          `${what} in ${name}: ${process.memoryUsage().heapUsed - heap} bytes`,
        );
      }
    }
  });
});
