// @tier long: starts a server and runs every block of the documents and every example against it.
import assert from "node:assert/strict";
import { copyFileSync, globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { freePort } from "../packages/server/src/testing/free-port.ts";
import { type PlatformProcess, startPlatformProcess } from "../packages/server/src/testing/platform-process.ts";
import { readPages, root } from "./documents/read-pages.ts";
import { run, runShellBlocks, runTypeScriptBlock, type Surroundings } from "./documents/run-block.ts";

/** Files that a page takes for granted, and what stands for them. */
const given = {
  "my-workflow.ts": "imports/src/agent-builder/testing/fixtures/bike-shop.ts.txt",
  "returns.workflow.yaml": "imports/src/foundry/testing/fixtures/triage.workflow.yaml",
  "Sorter.yaml": "imports/src/foundry/testing/fixtures/triage.agent.yaml",
};

describe("what the documents tell a reader to type works on a new installation", () => {
  let weft: PlatformProcess;
  let around: Surroundings;

  before(async () => {
    const eventApi = await freePort();
    weft = await startPlatformProcess({ env: { EVENT_API: "true", EVENT_API_PORT: String(eventApi) } });
    const scratch = mkdtempSync(join(tmpdir(), "weft-documents-"));
    for (const [name, source] of Object.entries(given)) copyFileSync(join(root, source), join(scratch, name));
    const { url, dataDir, token } = weft;
    around = {
      server: new URL(url).host,
      eventApi: `localhost:${eventApi}`,
      eventApiPort: eventApi,
      dataDir,
      token,
      scratch,
    };
  });
  after(async () => {
    rmSync(around.scratch, { recursive: true, force: true });
    await weft.remove();
  });

  for (const page of readPages()) {
    const shell = page.blocks.filter(({ language, notRun }) => /^(sh|bash)$/.test(language) && notRun === undefined);
    if (shell.length > 0) {
      it(`${page.path}: ${shell.length} blocks of shell`, async () => {
        const { status, output } = await runShellBlocks(shell, around);
        assert.equal(status, 0, output.slice(-4_000));
      });
    }
    for (const block of page.blocks.filter(({ language, notRun }) => language === "ts" && notRun === undefined)) {
      it(`${block.place}: TypeScript`, async () => {
        const { status, output } = await runTypeScriptBlock(block, around);
        assert.equal(status, 0, output.slice(-4_000));
      });
    }
  }

  const examples = globSync("examples/[0-9]*.{sh,ts}", { cwd: root }).sort();

  it("there are eight examples", () => assert.equal(examples.length, 8));

  for (const example of examples) {
    it(example, async () => {
      const command = example.endsWith(".ts") ? process.execPath : "bash";
      const { status, output } = await run(command, [example], around);
      assert.equal(status, 0, output.slice(-4_000));
      assert.notEqual(output.trim(), "");
      // A server that is not there fails the example.
      const failed = await run(command, [example], { ...around, server: "127.0.0.1:9" });
      assert.notEqual(failed.status, 0, failed.output);
    });
  }
});
