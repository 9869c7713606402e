import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { accounts } from "@weft/providers";
import { parseAllDocuments } from "yaml";
import { environmentVariables } from "../packages/server/src/config.ts";
import { layered } from "./architecture.ts";
import { findBrokenLinks } from "./documents/find-broken-links.ts";
import { type Block, readPage, readPages, root } from "./documents/read-pages.ts";
import { findTests } from "./tests/find-tests.ts";

const pages = readPages();
const blocks = pages.flatMap((page) => page.blocks);
const runnable = (block: Block) => ["sh", "bash", "ts"].includes(block.language);

/** Blocks that no test runs. A new one needs a reason above it, and this number: `<!-- not run: needs Docker -->`. */
const allowedNotRun = 20;

describe("the pages that people read", () => {
  it("link to files and headings that exist", () => {
    assert.deepEqual(pages.flatMap(findBrokenLinks), []);
    const page = readPage(
      "docs/a.md",
      "# A b\n[x](#a-b) [y](#c) [z](z.md) [r](../README.md#start) [q](../README.md#q)",
    );
    const broken = findBrokenLinks(page).map((line) => line.split(" ")[1]);
    assert.deepEqual(broken, ["#c", "z.md", "../README.md#q"]);
  });

  it("are all found from the index of documents", () => {
    const index = readFileSync(join(root, "docs/README.md"), "utf8");
    const names = globSync("{*,{how-to,reference}/*}.md", { cwd: join(root, "docs") }).filter(
      (name) => name !== "README.md",
    );
    assert.deepEqual(
      names.filter((name) => !index.includes(`(${name}`)),
      [],
    );
  });

  it("name tests that exist, where they say npm test -- PATH", () => {
    const files = findTests(root, "any");
    for (const { path, text } of pages) {
      for (const [, words = ""] of text.matchAll(/`npm test -- ([^`-][^`]*)`/g)) {
        for (const word of words.split(" ").filter((word) => /^[a-z]/.test(word))) {
          assert.ok(
            files.some((file) => file.includes(word)),
            `${path}: npm test -- ${words}`,
          );
        }
      }
    }
  });

  it("name files of the repository that exist", () => {
    const top = /^(packages|scripts|docs|e2e|examples|deploy|bench|flows|attacks|apps|imports)\/[\w./-]+$/;
    for (const page of pages) {
      const named = Array.from(page.text.matchAll(/`([^`\n]+)`/g), ([, name = ""]) => name).filter((name) =>
        top.test(name),
      );
      for (const name of named) assert.ok(existsSync(join(root, name)) || isMade(name), `${page.path}: ${name}`);
    }
  });

  it("have how-to pages of one screen, each with what a check prints", () => {
    const howTo = pages.filter(({ path }) => path.startsWith("docs/how-to/"));
    assert.ok(howTo.length >= 7);
    for (const { path, text, blocks } of howTo) {
      assert.ok(text.split("\n").length <= 61, path);
      assert.ok(text.includes("## What tells you that something is missing"), path);
      assert.ok(
        blocks.some(({ language }) => language === "text"),
        path,
      );
    }
    const readme = pages.find(({ path }) => path === "README.md");
    assert.ok((readme?.text.split("\n").length ?? 0) <= 91, "README.md is one screen: move what is more to a page");
  });

  it("have a map of the code that names every package, on 150 lines at most", () => {
    const map = pages.find(({ path }) => path === "ARCHITECTURE.md")?.text ?? "";
    assert.ok(map.split("\n").length <= 151);
    const missing = layered.filter((folder) => !map.includes(`\`${folder.replace("packages/", "")}\``));
    assert.deepEqual(missing, []);
  });

  it("have blocks of JSON and YAML that can be read, and name the language of what is run", () => {
    for (const { language, text, place } of blocks) {
      if (language === "json") assert.doesNotThrow(() => JSON.parse(text), place);
      if (language === "yaml") for (const { errors } of parseAllDocuments(text)) assert.deepEqual(errors, [], place);
      assert.ok(
        ["", "sh", "bash", "ts", "json", "yaml", "sql", "nginx", "text", "diff", "mermaid"].includes(language),
        place,
      );
      assert.ok(language !== "" || !/^(curl|npm|node|\.\/weft|\$) /m.test(text), `${place}: commands need a language`);
    }
  });

  it("say why, where a block cannot be run, and do so rarely", (t) => {
    const left = blocks.filter((block) => runnable(block) && block.notRun !== undefined);
    for (const { place, notRun } of left) t.diagnostic(`not run: ${place}: ${notRun}`);
    const tests = left.flatMap(({ notRun = "" }) => notRun.match(/[\w/.-]+\.test\.ts/g) ?? []);
    for (const file of tests) assert.ok(existsSync(join(root, file)), file);
    assert.equal(left.length, allowedNotRun, left.map(({ place, notRun }) => `${place}: ${notRun}`).join("\n"));
    const marks = pages.flatMap(({ text }) => text.match(/^ *<!-- not run:/gm) ?? []).length;
    assert.equal(marks, left.length, "a mark that is above no block");
  });

  it("name variables of the environment that exist", () => {
    const aliases = accounts.flatMap(({ keyVariables = [] }) => keyVariables);
    const known = new Set([...environmentVariables, ...aliases, ...Object.keys(readElsewhere), ...ofOthers]);
    for (const [name, file] of Object.entries(readElsewhere)) {
      assert.ok(readFileSync(join(root, file), "utf8").includes(name), `${file} does not read ${name}`);
    }
    const named = pages.flatMap(({ path, text }) =>
      Array.from(text.matchAll(/(?<![\w$.-])`?([A-Z][A-Z0-9]*_[A-Z0-9_]+)(?==|`)/g), ([, name = ""]) => ({
        path,
        name,
      })),
    );
    assert.ok(named.length > 100);
    assert.deepEqual(
      named.filter(({ name }) => !known.has(name)),
      [],
    );
  });
});

/** What commands make: the built pages. */
function isMade(name: string): boolean {
  return /\/dist$/.test(name);
}

/** Variables that are no settings of the server, each with a file that reads it. */
const readElsewhere = {
  FLOWISE_FILE_SIZE_LIMIT: "packages/server/src/config.ts",
  WEFT_SERVER: "packages/builder/vite.config.ts",
  WEFT_SCREENSHOTS: "proof/e2e/builder/testing/screenshot.ts",
  WEFT_URL: "examples/weft.ts",
  WEFT_TOKEN: "examples/weft.ts",
  FLOWISE_API_KEY: "scripts/copy-from-flowise.ts",
  FLOWISE_SECRETKEY_OVERWRITE: "packages/flowise-source/src/flowise-source.ts",
  BLOB_STORAGE_PATH: "packages/server/src/cli/import-flowise.ts",
  POSTGRES_PASSWORD: "compose.yaml",
  VALKEY_PASSWORD: "compose.yaml",
  E2E_DELAY_MS: "proof/e2e/testing/delay-answers.ts",
  PROMTOOL_REQUIRED: "packages/telemetry/src/observability-files.test.ts",
  TEST_SERVER: "packages/server/src/testing/platform-process.ts",
  TEST_POSTGRES_URL: "scripts/tests/test-postgres.ts",
  TEST_POSTGRES_REQUIRED: "packages/database/src/testing/test-databases.ts",
  TEST_MYSQL_URL: "packages/sql/src/testing/test-sources.ts",
  TEST_MYSQL_REQUIRED: "packages/flowise-source/src/testing/test-sources.ts",
};

/** Settings of Flowise, and of the C library. */
const ofOthers = ["DATABASE_PATH", "SECRETKEY_PATH", "MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_"];
