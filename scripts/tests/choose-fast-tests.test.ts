import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, it } from "node:test";
import { chooseFastTests } from "./choose-fast-tests.ts";

const root = mkdtempSync(join(tmpdir(), "weft-fast-tests-"));
after(() => rmSync(root, { recursive: true }));

const sources = {
  "packages/base/package.json": '{ "name": "@weft/base", "exports": { ".": "./src/index.ts" } }',
  "packages/base/src/index.ts": 'export { add } from "./add.ts";\nexport { stay } from "./stay.ts";\n',
  "packages/base/src/add.ts": "export const add = (a: number, b: number) => a + b;\n",
  "packages/base/src/stay.ts": "export const stay = 1;\n",
  "packages/base/src/add.test.ts": 'import { add } from "./add.ts";\nadd(1, 1);\n',
  "packages/base/src/stay.test.ts": 'import { stay } from "./stay.ts";\nstay;\n',
  "packages/user/src/twice.ts": 'import { add } from "@weft/base";\nexport const twice = (a: number) => add(a, a);\n',
  "packages/user/src/twice.test.ts": 'import { twice } from "./twice.ts";\ntwice(1);\n',
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

function choose(durations: Record<string, number> = {}): string[] {
  return chooseFastTests({ root, tests, durations, atOnce: 2, say: () => undefined });
}

for (const [path, text] of Object.entries(sources)) write(path, text);
git("init", "-q");
git("add", "-A");
git("commit", "-qm", "first");

it("chooses the tests that reach what changed, through doors by name, the nearest first", () => {
  write("packages/base/src/add.ts", "export const add = (a: number, b: number) => b + a;\n");
  assert.deepEqual(choose(), ["packages/base/src/add.test.ts", "packages/user/src/twice.test.ts"]);
});

it("leaves out what would take longer than a minute", () => {
  assert.deepEqual(choose({ "packages/user/src/twice.test.ts": 90_000 }), ["packages/base/src/add.test.ts"]);
});

it("takes the last commit when nothing is uncommitted", () => {
  git("commit", "-qam", "second");
  assert.deepEqual(choose(), ["packages/base/src/add.test.ts", "packages/user/src/twice.test.ts"]);
});
