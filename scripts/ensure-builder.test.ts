import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync, gunzipSync } from "node:zlib";

const bundle = "export const text = 'a bundle';\n".repeat(200);

/** Stands for Vite: notes the call, and writes a build where it is told to. */
const bundler = `import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
appendFileSync("../../calls", "x");
const out = process.argv[process.argv.indexOf("--outDir") + 1];
mkdirSync(out + "/assets", { recursive: true });
writeFileSync(out + "/index.html", process.env.NODE_ENV);
writeFileSync(out + "/assets/main.js", ${JSON.stringify(bundle)});
writeFileSync(out + "/assets/tiny.js", "1");`;

/** A repository with a builder of two files, and `script` in Vite's place. */
function createProject(t: TestContext, script = bundler) {
  const root = mkdtempSync(join(tmpdir(), "weft-ensure-builder-"));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const write = (path: string, text: string) => {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  write("package.json", '{ "type": "module" }');
  write("package-lock.json", "{}");
  write("packages/builder/index.html", "<p>");
  write("packages/builder/src/main.tsx", "1;");
  write("packages/schema/src/index.ts", "1;");
  write("node_modules/vite/bin/vite.js", script);
  write("node_modules/vite/package.json", '{ "type": "module" }');
  mkdirSync(join(root, "scripts"));
  copyFileSync(fileURLToPath(new URL("ensure-builder.mjs", import.meta.url)), join(root, "scripts/ensure-builder.mjs"));
  const dist = join(root, "packages/builder/dist");
  return {
    write,
    dist,
    calls: () => (existsSync(join(root, "calls")) ? readFileSync(join(root, "calls")).length : 0),
    leftovers: () => readdirSync(join(root, ".cache")),
    run(...args: string[]) {
      const script = join(root, "scripts/ensure-builder.mjs");
      return spawnSync(process.execPath, [script, ...args], { encoding: "utf8", timeout: 100_000 });
    },
  };
}

describe("ensure-builder", () => {
  it("builds what is missing, once, for production, and packs what shrinks", (t) => {
    const project = createProject(t);
    const first = project.run();
    assert.deepEqual([first.status, first.stdout], [0, ""]);
    assert.match(first.stderr, /building the web interface/);
    const read = (path: string) => readFileSync(join(project.dist, path));
    assert.equal(read("index.html").toString(), "production");
    assert.equal(gunzipSync(read("assets/main.js.gz")).toString(), bundle);
    assert.equal(brotliDecompressSync(read("assets/main.js.br")).toString(), bundle);
    assert.deepEqual(readdirSync(join(project.dist, "assets")).toSorted(), [
      "main.js",
      "main.js.br",
      "main.js.gz",
      "tiny.js",
    ]);
    const second = project.run();
    assert.deepEqual([second.status, second.stderr, project.calls()], [0, "", 1]);
    assert.deepEqual(project.leftovers(), []);
  });

  it("builds anew when a source or the lockfile changed, and not for a test", (t) => {
    const project = createProject(t);
    project.run();
    project.write("packages/builder/src/main.test.ts", "2;");
    project.run();
    assert.equal(project.calls(), 1);
    for (const path of ["packages/builder/src/main.tsx", "packages/schema/src/index.ts", "package-lock.json"]) {
      const before = project.calls();
      project.write(path, "3");
      project.run();
      assert.equal(project.calls(), before + 1, path);
    }
  });

  it("builds the chat client beside it, each from its own sources", (t) => {
    const project = createProject(t);
    project.write("packages/widget/src/main.ts", "1;");
    project.write("packages/builder/src/main.tsx", "2;");
    project.run();
    assert.equal(project.calls(), 2);
    assert.ok(existsSync(join(project.dist, "../../widget/dist/index.html")));
    project.write("packages/widget/src/main.ts", "2;");
    const { stderr } = project.run();
    assert.match(stderr, /building the chat client/);
    assert.doesNotMatch(stderr, /web interface/);
    assert.equal(project.calls(), 3);
  });

  it("keeps the last build when a new one fails, and fails unless it may go on", (t) => {
    const project = createProject(t);
    project.run();
    project.write("node_modules/vite/bin/vite.js", "console.error('broken'); process.exit(1);");
    project.write("packages/builder/src/main.tsx", "2;");
    const strict = project.run();
    assert.equal(strict.status, 1);
    assert.match(strict.stderr, /broken[\s\S]*could not be built/);
    assert.equal(project.run("--or-go-on").status, 0);
    assert.ok(existsSync(join(project.dist, "index.html")));
    assert.deepEqual(project.leftovers(), []);
  });
});
