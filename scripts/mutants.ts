// Plants faults in a copy of the sources, one at a time, and runs the tests that must notice them. Ends with an error
// when more than one in ten survives. `./weft mutants WORD…`: only those whose name or file contains a word.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Mutant } from "./mutants/mutant.ts";
import { mutants } from "./mutants/mutants.ts";
import { plantIn } from "./mutants/plant.ts";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const neededShare = 0.9;

/** The sources in a folder of their own, with the installed packages of the original. */
function copySources(folder: string): void {
  const isSource = (path: string) => !/[\\/](node_modules|dist|\.git)$/.test(path);
  for (const part of [
    "packages",
    "apps",
    "imports",
    "scripts",
    "flows",
    "package.json",
    "package-lock.json",
    "openapi.json",
  ]) {
    cpSync(join(root, part), join(folder, part), { recursive: true, filter: isSource });
  }
  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, "@weft"), { recursive: true });
  for (const name of readdirSync(join(root, "node_modules"))) {
    if (name !== "@weft") symlinkSync(join(root, "node_modules", name), join(modules, name));
  }
  for (const name of readdirSync(join(folder, "packages"))) {
    symlinkSync(join(folder, "packages", name), join(modules, "@weft", name));
  }
  symlinkSync(join(folder, "apps/event-api"), join(modules, "@weft/event-api"));
  symlinkSync(join(folder, "imports"), join(modules, "@weft/imports"));
}

/** A fault can make a test spin: the runner ends it after a while, this the runner. */
const testsTimeoutMs = 10 * 60_000;

/** Runs tests in a copy, as `npm test` does. Resolves with the files that failed. */
async function runTests(folder: string, tests: readonly string[]): Promise<string[]> {
  const args = ["scripts/test.mjs", ...tests];
  const child = spawn(process.execPath, args, { cwd: folder, timeout: testsTimeoutMs, stdio: "ignore" });
  const [code] = await once(child, "close");
  if (code === 0) return [];
  const report: { file: string; problems: string[]; tests: [outcome: string, name: string][] }[] = JSON.parse(
    readFileSync(join(folder, ".cache/test-report.json"), "utf8"),
  );
  const failed = report.filter(({ problems, tests }) => problems.length > 0 || tests.some(([it]) => it === "failed"));
  return failed.length > 0 ? failed.map(({ file }) => file) : [...tests];
}

/** Takes from the list until it is empty, in as many copies as the machine has cores. */
async function inCopies<T>(list: readonly T[], work: (folder: string, item: T) => Promise<void>): Promise<void> {
  const left = [...list];
  const worker = async () => {
    const folder = mkdtempSync(join(tmpdir(), "weft-mutants-"));
    try {
      copySources(folder);
      for (let item = left.shift(); item !== undefined; item = left.shift()) await work(folder, item);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, worker));
}

async function tryMutant(folder: string, mutant: Mutant): Promise<boolean> {
  const path = join(folder, mutant.file);
  writeFileSync(path, plantIn(root, mutant));
  const failed = await runTests(folder, mutant.tests);
  cpSync(join(root, mutant.file), path);
  return failed.length > 0;
}

const words = process.argv.slice(2);
const chosen = mutants.filter(
  ({ name, file }) => words.length === 0 || words.some((word) => name.includes(word) || file.includes(word)),
);
if (chosen.length === 0) throw new Error(`No mutant's name or file contains ${words.join(" or ")}.`);
for (const mutant of chosen) plantIn(root, mutant);

/** Tests that fail without any mutant judge none. */
const broken = new Set<string>();
await inCopies([[...new Set(chosen.flatMap(({ tests }) => tests))]], async (folder, tests) => {
  for (const test of await runTests(folder, tests)) {
    broken.add(test);
    console.error(`${test} fails without any mutant.`);
  }
});
const judged = chosen.filter(({ tests }) => !tests.some((test) => broken.has(test)));

const survivors: Mutant[] = [];
await inCopies(judged, async (folder, mutant) => {
  const isCaught = await tryMutant(folder, mutant);
  if (!isCaught) survivors.push(mutant);
  console.log(`${isCaught ? "caught  " : "SURVIVED"} ${mutant.file}: ${mutant.name}`);
});
const caught = judged.length - survivors.length;
const unjudged = chosen.length - judged.length;
console.log(`${caught} of ${chosen.length} mutants caught${unjudged === 0 ? "" : `, ${unjudged} not judged`}`);
if (broken.size > 0 || caught < chosen.length * neededShare) process.exitCode = 1;
