import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { agentWith, llmFlow, openRestartable } from "../testing/test-platform.ts";
import { runCli } from "./testing/run-cli.ts";

await onTestDatabase((databases) => {
  test("an installation goes through a file into another one", async (t) => {
    const [here, there] = [await openRestartable(t, databases), await openRestartable(t, databases)];
    const folder = await mkdtemp(join(tmpdir(), "weft-export-"));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, "weft.json");
    const platform = await here.open();
    const agentId = await agentWith(platform, llmFlow(), { name: "Support" });
    const environment = ({ storage }: typeof here) => ({
      DATA_DIR: storage.dataDir,
      DATABASE_URL: storage.databaseUrl,
    });
    // A server runs meanwhile.
    const exported = await runCli("export", { args: [file], env: environment(here) });
    assert.deepEqual([exported.exitCode, exported.stderr], [0, ""]);
    assert.match(exported.stdout, /Exported to .*weft\.json/);
    assert.equal((await stat(file)).mode & 0o077, 0);
    assert.match(await readFile(file, "utf8"), /"format": "weft-export"/);
    const twice = await runCli("export", { args: [file], env: environment(here) });
    assert.deepEqual([twice.exitCode, twice.stdout], [1, ""]);
    assert.match(twice.stderr, /exists already/);

    await (await there.open()).close();
    const importing = (...args: string[]) => runCli("import", { args: [file, ...args], env: environment(there) });
    const dry = await importing("--dry-run");
    assert.match(dry.stdout, /Nothing was changed[\s\S]*Agents: 1 added/, dry.stderr);
    const imported = await importing();
    assert.deepEqual([imported.exitCode, imported.stderr], [0, ""]);
    assert.match(imported.stdout, /Imported:[\s\S]*Agents: 1 added/);
    assert.match((await importing("--overwrite")).stdout, /Agents: 0 added, 1 unchanged/);
    const opened = await there.open();
    assert.equal((await opened.json<{ name: string }>("GET", `/chatflows/${agentId}`)).name, "Support");
  });
});

test("what cannot be imported is a sentence on standard error", async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), "weft-import-"));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const file = join(dataDir, "file.json");
  await writeFile(file, "{");
  const fails = async (args: string[], sentence: RegExp) => {
    const { exitCode, stdout, stderr } = await runCli("import", { args, env: { DATA_DIR: dataDir } });
    assert.deepEqual([exitCode, stdout], [1, ""]);
    assert.match(stderr, sentence);
    assert.doesNotMatch(stderr, /^\s+at /m);
  };
  await fails([], /Name the file/);
  await fails([join(dataDir, "none.json")], /cannot be read/);
  await fails([file], /is not valid JSON/);
  await writeFile(file, '{"format":"other"}');
  await fails([file], /Set DATA_DIR/);
});
