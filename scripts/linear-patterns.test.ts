import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { fileURLToPath } from "node:url";
import { findSlowPatterns, problemOf } from "./linear-patterns.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Sources whose patterns stop nobody else. */
const elsewhere: readonly (readonly [path: RegExp, why: string])[] = [
  [/^packages\/(builder|widget)\//, "pages run in the browser of the person who gives the text"],
  [/^imports\/src\/(foundry|agent-builder)\//, "the import worker reads them, and is ended after five seconds"],
  [/^packages\/sql\//, "its own tests give its scanner hostile statements"],
];

it("reads the texts of others in linear time", () => {
  const exclude = (name: string) => name === "node_modules";
  const paths = globSync("{packages/*,apps/*,optional/*,imports}/src/**/*.{ts,tsx}", { cwd: root, exclude })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => !/\.test\.tsx?$|\/testing\//.test(path))
    .filter((path) => !elsewhere.some(([part]) => part.test(path)));
  assert.ok(paths.length > 500, "the sources were not found");
  const found = paths.flatMap((path) =>
    findSlowPatterns(path, readFileSync(join(root, path), "utf8")).map(
      ({ line, pattern, problem }) => `${path}:${line} ${pattern}\n    ${problem}`,
    ),
  );
  const advice = "Search by index, bound the quantifier, or say in a comment `// linear: why` what bounds its text.";
  assert.equal(found.join("\n"), "", `${advice}\n`);
});

const slow = [
  /\s+$/,
  /a*a*b/,
  /(?:a+)+b/,
  /<doc name='[^']*'>[\s\S]*?<\/doc>/,
  /"(?:[^"\\]|\\.)*"/,
  /<!--[\s\S]*?-->/g,
  /\[([^\]]*)\]/g,
  /\w+\(/,
  /^\s*\/\//m,
  /x(?:y|[^z]*z)/,
];
const linear = [
  /"[^"]*"/g,
  /\{\{[^{}]*\}\}/,
  /\s+/,
  /(?<!\s)\s+$/,
  /^<!--[\s\S]*?-->/,
  /<!--[\s\S]*?-->/y,
  /\b\w+\(/,
  /https?:\/\/\S*/,
  /^[ \t]*-/m,
  /\s{0,20}=/,
];

it("tells slow patterns from linear ones", () => {
  for (const { source, flags } of slow) assert.notEqual(problemOf(source, flags), undefined, source);
  for (const { source, flags } of linear) assert.equal(problemOf(source, flags), undefined, source);
});

it("takes a reason, and nothing else, for a pattern that it cannot judge", () => {
  const at = (source: string) => findSlowPatterns("a.ts", source).map(({ line }) => line);
  assert.deepEqual(at("const a = 1;\nconst b = /\\s+$/;\nconst c = new RegExp(given);\nRegExp(`${a}`);"), [2, 3, 4]);
  assert.deepEqual(at('const a = new RegExp("\\\\s+$");'), [1]);
  assert.deepEqual(at("// linear: names have 100 characters at most\nconst b = /\\s+$/;"), []);
  assert.deepEqual(at("const b = /\\s+$/; // linear:\n"), [1]);
});
