import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { processorMs } from "../../../../packages/schema/src/testing/processor-time.ts";
import { readFiles, type SourceFile } from "./index.ts";

/** The statements of a program without lines, maps as objects. */
function read(text: string, name = "program"): unknown {
  const hide = (key: string, value: unknown) => {
    if (key === "line" || key === "lastLine") return undefined;
    return value instanceof Map ? Object.fromEntries(value) : value;
  };
  return JSON.parse(JSON.stringify(readFiles([{ name, text }])[0]?.statements, hide));
}

const only = (text: string, name: string): SourceFile | undefined => readFiles([{ name, text }])[0];

describe("programs in both languages", () => {
  it("give the same tree", () => {
    const pairs = [
      ["const a = f(1, `x${b.c}`);", 'a = f(1, f"x{b.c}")'],
      ["const a = [...b, { c: -1, d: null }];", 'a = [*b, {"c": -1, "d": None}]'],
      ["state.a = b && !c;", 'state["a"] = b and not c'],
      ["if (a == 1) { f(); } else if (b) { g(); } else { h(); }", "if a == 1:\n  f()\nelif b:\n  g()\nelse:\n  h()"],
      ["while (a < 3) { a += 1; }", "while a < 3:\n  a += 1"],
      ["const a = b ? 1 : 'two';", 'a = 1 if b else "t" "wo"'],
      ["const a = await b.c(d)", "a = await b.c(d)"],
    ] as const;
    for (const [script, python] of pairs) assert.deepEqual(read(script, "a.ts"), read(python, "a.py"), script);
  });

  it("lose types, assertions and parentheses", () => {
    assert.deepEqual(read("const a: T = (b as T)!.c satisfies U", "a.ts"), read("const a = b.c", "a.js"));
    assert.deepEqual(read("a: list[T] = b", "a.py"), read("a = b", "a.py"));
  });

  it("keep the characters that escapes stand for", () => {
    const value = (text: string, name: string) =>
      JSON.stringify(read(text, name)).match(/"value":"((?:[^"\\]|\\.)*)"/)?.[1];
    assert.equal(value(String.raw`const a = "\"\u0041\x42\u{43}\n\q"`, "a.ts"), String.raw`\"ABC\nq`);
    assert.equal(value(String.raw`a = """\"\u0041\q"""`, "a.py"), String.raw`\"A\\q`);
    assert.equal(value(String.raw`a = r"\n"`, "a.py"), String.raw`\\n`);
  });

  it("are told apart by name, fence and content", () => {
    assert.equal(only("x = 1", "a.py")?.language, "python");
    assert.equal(only("x = 1", "a.mjs")?.language, "javascript");
    assert.equal(only("Export:\n\n```python\nx = 1\n```\n", "a.md")?.language, "python");
    assert.equal(only("from agents import Agent\nasync def f(x):\n  return x", "paste")?.language, "python");
    assert.equal(only('import { Agent } from "@openai/agents";\nconst a = 1;', "paste")?.language, "javascript");
  });

  it("may stand in a fence, with fences inside their texts", () => {
    const code = "const a = `\n```json\n{}\n```\n`;\nf();";
    assert.deepEqual(read(`\uFEFFText\r\n\`\`\`ts\r\n${code}\r\n\`\`\`\r\nmore`), read(code, "a.ts"));
  });

  it("know the lines of their statements", () => {
    const lines = only("\nconst a = 1;\nif (a) {\n  f();\n}", "a.ts")?.statements.map((one) => [
      one.line,
      one.lastLine,
    ]);
    assert.deepEqual(lines, [
      [2, 2],
      [3, 5],
    ]);
  });
});

describe("text that is not a program", () => {
  it("is unknown with its source, and the rest is read", () => {
    const kinds = only("const a = ``\nSearch for it``;\nf(1);", "a.ts")?.statements.map(({ kind }) => kind);
    assert.equal(kinds?.[0], "declare");
    assert.equal(kinds?.at(-1), "evaluate");
  });

  it("is refused in a moment where it is too long or too deep", () => {
    const started = processorMs();
    assert.match(only("x".repeat(10_000_000), "a.ts")?.problem ?? "", /longer than/);
    for (const bracket of ["(", "[", "{"]) {
      assert.match(only(bracket.repeat(100_000), "a.ts")?.problem ?? "", /too deeply/);
      assert.match(only(bracket.repeat(100_000), "a.py")?.problem ?? "", /too deeply/);
    }
    assert.ok(processorMs() - started < 2_000);
  });

  it("does not throw, wherever it is cut", () => {
    const text =
      "@t\ndef f(a: int = 1):\n  if a:\n    return f'{a}'\nconst x = { a: [1, ...b], c: `${d}` }; try { e(); } catch {}";
    for (let end = 0; end < text.length; end += 1) {
      for (const name of ["a.py", "a.ts"]) assert.ok(only(text.slice(0, end), name));
    }
  });
});
