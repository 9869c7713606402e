import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { openTestStorage } from "../../../database/src/testing/test-databases.ts";
import { buildFlowise } from "../flowise-import/testing/bench.ts";
import { runCli } from "./testing/run-cli.ts";

test("the command says what it would do, does it, and says what is left to do", async (t) => {
  const { database, keyFile, storage } = await buildFlowise(t);
  const { dataDir, open } = await openTestStorage("sqlite", t);
  await (await open()).close();
  const from = ["--database", database, "--key", keyFile, "--storage", storage];
  const importing = (...args: string[]) =>
    runCli("import-flowise", { args: [...from, ...args], env: { DATA_DIR: dataDir } });
  const undecided = await importing();
  assert.deepEqual([undecided.exitCode, undecided.stdout], [1, ""]);
  assert.match(undecided.stderr, /^Nothing was imported\. .*--open-flows/);
  const dry = await importing("--open-flows", "public", "--dry-run");
  assert.match(dry.stdout, /^Nothing was changed[\s\S]*Chat messages: 240 read, 240 written/, dry.stderr);
  const imported = await importing("--open-flows", "public");
  assert.deepEqual([imported.exitCode, imported.stderr], [0, ""]);
  assert.match(imported.stdout, /^Imported:[\s\S]*Chat messages: 240 read, 240 written, 0 there already, 0 left/);
  assert.match(imported.stdout, /To do:[\s\S]*ALLOW_PUBLIC_FLOWS=true[\s\S]*RUNTIME_VARIABLES=SHOP_TOKEN/);
  assert.match(imported.stdout, /Not moved[^\n]*user 2/);
});

test("a command that is wrong is told how it is right", async (t) => {
  const { dataDir } = await openTestStorage("sqlite", t);
  const run = (...args: string[]) => runCli("import-flowise", { args, env: { DATA_DIR: dataDir } });
  for (const args of [[], ["--database", "a", "--export", "b"], ["--database", "a", "--open-flows", "yes"], ["file"]]) {
    const { exitCode, stdout, stderr } = await run(...args);
    assert.deepEqual([exitCode, stdout], [2, ""]);
    assert.match(stderr, /^Usage: /);
  }
  const missing = await run("--database", join(dataDir, "none.sqlite"));
  assert.equal(missing.exitCode, 1);
  assert.doesNotMatch(missing.stderr, /^\s+at /m);
  const noKey = await run("--database", "a", "--key", join(dataDir, "none.key"));
  assert.match(noKey.stderr, /none\.key cannot be read/);
});
