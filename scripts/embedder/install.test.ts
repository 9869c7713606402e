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
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";

const { platform, arch } = process;

/** What npm would install: a runtime for this platform and for another, and a package that only its install script needs. */
const installs = `const write = (path, text) => {
  fs.mkdirSync("node_modules/" + path.slice(0, path.lastIndexOf("/")), { recursive: true });
  fs.writeFileSync("node_modules/" + path, text);
};
write("adm-zip/index.js", "");
write("onnxruntime-common/index.js", "");
write("onnxruntime-node/index.js", "require('./bin/napi-v6/${platform}/${arch}/runtime.js')");
write("onnxruntime-node/bin/napi-v6/${platform}/${arch}/runtime.js", "");
write("onnxruntime-node/bin/napi-v6/${platform}/other/runtime.js", "");
write("onnxruntime-node/bin/napi-v6/other/${arch}/runtime.js", "");`;

/** A repository with the script and, in npm's place, a program that runs `npm`. */
function createProject(t: TestContext, npm: string) {
  const root = mkdtempSync(join(tmpdir(), "weft-embedder-"));
  t.after(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));
  const path = (name: string) => join(root, name);
  for (const folder of ["scripts/embedder", "optional/embedder"]) mkdirSync(path(folder), { recursive: true });
  copyFileSync(fileURLToPath(new URL("install.mjs", import.meta.url)), path("scripts/embedder/install.mjs"));
  const program = (text: string) =>
    writeFileSync(
      path("npm-cli.js"),
      `const fs = require("node:fs"); fs.appendFileSync(${JSON.stringify(path("calls"))}, "x"); ${text}`,
    );
  program(npm);
  for (const name of ["package.json", "package-lock.json"]) writeFileSync(path(`optional/embedder/${name}`), "{}");
  return {
    path,
    program,
    calls: () => (existsSync(path("calls")) ? readFileSync(path("calls"), "utf8").length : 0),
    installed: path(`.cache/embedder/${platform}-${arch}/node_modules`),
    left: () => readdirSync(path(".cache/embedder")),
    install(args: string[] = [], variables: NodeJS.ProcessEnv = {}) {
      const npm = { npm_execpath: path("npm-cli.js"), npm_node_execpath: process.execPath };
      const options = { encoding: "utf8", env: { ...process.env, ...npm, ...variables } } as const;
      return spawnSync(process.execPath, [path("scripts/embedder/install.mjs"), ...args], options);
    },
  };
}

describe("the native runtime of the embedded model", () => {
  it("is installed for this platform alone, once", (t) => {
    const project = createProject(t, installs);
    const { status, stderr } = project.install();
    assert.equal(status, 0, stderr);
    assert.match(stderr, /has its native runtime/);
    assert.deepEqual(readdirSync(project.installed), ["onnxruntime-common", "onnxruntime-node"]);
    const programs = join(project.installed, "onnxruntime-node/bin/napi-v6");
    assert.deepEqual(readdirSync(programs), [platform]);
    assert.deepEqual(readdirSync(join(programs, platform)), [arch]);
    assert.deepEqual(project.left(), [`${platform}-${arch}`]);
    assert.equal(project.install().stderr, "");
    assert.equal(project.calls(), 1);
  });

  it("is installed again when the lockfile changes", (t) => {
    const project = createProject(t, installs);
    project.install();
    writeFileSync(project.path("optional/embedder/package-lock.json"), '{ "a": 1 }');
    assert.equal(project.install().status, 0);
    assert.equal(project.calls(), 2);
  });

  for (const [what, npm, reason] of [
    ["npm fails", 'console.error("npm error network unreachable"); process.exit(1);', /network unreachable/],
    [
      "there is none for this platform",
      `${installs} fs.rmSync("node_modules/onnxruntime-node/bin/napi-v6/${platform}", { recursive: true });`,
      /no runtime for/,
    ],
    [
      "it cannot run here",
      `${installs} write("onnxruntime-node/index.js", "throw new Error('no such libc')");`,
      /cannot run .*no such libc/,
    ],
  ] as const) {
    it(`is left out with one line that says why when ${what}`, (t) => {
      const project = createProject(t, npm);
      const { status, stderr } = project.install();
      assert.equal(status, 1);
      assert.match(stderr, /^weft: the embedded model runs on WebAssembly, .*\n$/);
      assert.match(stderr, reason);
      assert.deepEqual(project.left(), []);
    });
  }

  it("is tried in the background once a day, which never keeps the server from starting", async (t) => {
    const project = createProject(t, installs);
    assert.equal(project.install(["--in-background"]).status, 0);
    for (let round = 0; round < 1_000 && !existsSync(project.installed); round += 1)
      await new Promise((resolve) => setTimeout(resolve, 100));
    assert.ok(existsSync(project.installed));
    rmSync(project.installed.replace(/node_modules$/, ""), { recursive: true });
    assert.equal(project.install(["--in-background"]).status, 0);
    assert.equal(project.calls(), 1);

    const readOnly = createProject(t, installs);
    writeFileSync(readOnly.path(".cache"), "a file where the folder would be");
    const { status, stderr } = readOnly.install(["--in-background"]);
    assert.equal(status, 0);
    assert.match(stderr, /cannot be installed/);
  });

  it("is waited for by a start that needs it, which goes on without", (t) => {
    for (const variable of ["EMBEDDING_MODEL_DIR", "RERANKER_MODEL_DIR"]) {
      const project = createProject(t, installs);
      assert.equal(project.install(["--in-background"], { [variable]: "/models" }).status, 0);
      assert.ok(existsSync(project.installed));
    }
    const offline = createProject(t, 'console.error("npm error network unreachable"); process.exit(1);');
    const { status, stderr } = offline.install(["--in-background"], { EMBEDDING_MODEL_DIR: "/models" });
    assert.equal(status, 0);
    assert.match(stderr, /network unreachable/);
  });
});
