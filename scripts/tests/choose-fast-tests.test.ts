import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, it } from "node:test";
import { chooseFastTests, parseDiff } from "./choose-fast-tests.ts";
import { openFailureHistory } from "./failure-history.ts";

const root = mkdtempSync(join(tmpdir(), "weft-fast-tests-"));
after(() => rmSync(root, { recursive: true }));

const sources = {
  "packages/base/package.json": '{ "name": "@weft/base", "exports": { ".": "./src/index.ts" } }',
  "packages/base/src/index.ts":
    'export { add, subtract } from "./add.ts";\nexport * from "./also.ts";\nexport * from "./stay.ts";\n',
  "packages/base/src/also.ts": "export const also = 1;\n",
  "packages/base/src/add.ts": "export const add = (a: number, b: number) => a + b;\nexport const subtract = 1;\n",
  "packages/base/src/stay.ts": "export const stay = 1;\n",
  "packages/base/src/add.test.ts": 'import { add } from "./add.ts";\nadd(1, 1);\n',
  "packages/base/src/subtract.test.ts": 'import { subtract } from "./add.ts";\nsubtract;\n',
  "packages/base/src/stay.test.ts": 'import { stay } from "./stay.ts";\nstay;\n',
  "packages/user/src/twice.ts": 'import { add } from "@weft/base";\nexport const twice = (a: number) => add(a, a);\n',
  "packages/user/src/twice.test.ts": 'import { twice } from "./twice.ts";\ntwice(1);\n',
  "packages/user/src/late.test.ts": 'const { twice } = await import("./twice.ts");\ntwice(1);\n',
  "packages/user/src/stays.test.ts": 'import { stay } from "@weft/base";\nstay;\n',
};
const tests = Object.keys(sources).filter((path) => path.endsWith(".test.ts"));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function git(...args: string[]): void {
  execFileSync("git", ["-c", "user.name=Test", "-c", "user.email=test@example.org", ...args], { cwd: root });
}

function choose(seconds: Record<string, number> = {}): string[] {
  const history = openFailureHistory(root);
  const secondsOf = (file: string) => seconds[file] ?? 1;
  return chooseFastTests({ root, tests, secondsOf, processes: 2, history, say: () => undefined });
}

for (const [path, text] of Object.entries(sources)) write(path, text);
write(".gitignore", ".cache\n");
git("init", "-q");
git("add", "-A");
git("commit", "-qm", "first");

const reached = [
  "packages/base/src/add.test.ts",
  "packages/base/src/subtract.test.ts",
  "packages/user/src/late.test.ts",
  "packages/user/src/twice.test.ts",
];

it("chooses the tests that use a changed name first, then those that reach the file, through doors by name", () => {
  write(
    "packages/base/src/add.ts",
    "export const add = (a: number, b: number) => b + a;\nexport const subtract = 1;\n",
  );
  assert.deepEqual(choose(), reached);
  write(
    "packages/base/src/add.ts",
    "export const add = (a: number, b: number) => a + b;\nexport const subtract = 2;\n",
  );
  assert.equal(choose()[0], "packages/base/src/subtract.test.ts");
  write(
    "packages/base/src/add.ts",
    "export const add = (a: number, b: number) => b + a;\nexport const subtract = 1;\n",
  );
});

it("leaves out what would take too long", () => {
  assert.deepEqual(choose({ "packages/base/src/add.test.ts": 90 }), reached.slice(1));
});

it("begins with the tests that failed with the file before", () => {
  openFailureHistory(root).remember(["packages/user/src/stays.test.ts"], ["packages/base/src/add.ts"]);
  assert.deepEqual(choose(), ["packages/user/src/stays.test.ts", ...reached]);
  rmSync(join(root, ".cache"), { recursive: true });
});

it("takes the last commit when nothing is uncommitted", () => {
  git("commit", "-qam", "second");
  assert.deepEqual(choose(), reached);
});

it("answers for a file that nothing imports with the tests of the nearest folder", () => {
  write("packages/user/notes.md", "About users.\n");
  assert.deepEqual(choose(), tests.filter((test) => test.startsWith("packages/user/")).sort());
  write("README.md", "About all of it.\n");
  rmSync(join(root, "packages/user/notes.md"));
  assert.equal(choose().length, tests.length);
});

it("finds those that get a name through a door that passes all names on", () => {
  git("add", "-A");
  git("commit", "-qm", "third");
  write("packages/base/src/stay.ts", "export const stay = 2;\n");
  assert.deepEqual(choose(), ["packages/base/src/stay.test.ts", "packages/user/src/stays.test.ts"]);
});

it("reads which lines of which files a diff changes", () => {
  const diff = [
    "diff --git a/one.ts b/one.ts",
    "@@ -1,2 +1 @@ function x",
    "-a",
    "@@ -9,0 +8,3 @@",
    "diff --git a/two.ts b/two.ts",
    "@@ -4,2 +3,0 @@",
  ].join("\n");
  assert.deepEqual(
    parseDiff(diff).map(({ path, lines }) => [path, [...lines]]),
    [
      ["one.ts", [1, 8, 9, 10]],
      ["two.ts", [3]],
    ],
  );
});
