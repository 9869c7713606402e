import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";

type Project = { path(name: string): string; calls(): number; installer(script: string): void };

const lockfile = { name: "p", version: "1.0.0", lockfileVersion: 3, requires: true, packages: { "": { name: "p" } } };
const installs = `const { packages: { "": _, ...packages } } = JSON.parse(fs.readFileSync("package-lock.json", "utf8"));
  fs.writeFileSync("node_modules/.package-lock.json", JSON.stringify({ packages }));`;

/**
 * A folder with a copy of ensure.mjs, a lockfile without packages and, in npm's place, a recorder that runs `script`.
 * Its package.json pins no Node, so the Node that runs the test stands for the system's.
 */
function createProject(t: TestContext): Project {
  const folder = mkdtempSync(join(tmpdir(), "weft-ensure-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = (name: string) => join(folder, name);
  mkdirSync(path("scripts"));
  copyFileSync(fileURLToPath(new URL("ensure.mjs", import.meta.url)), path("scripts/ensure.mjs"));
  writeFileSync(path("package.json"), JSON.stringify({ name: "p", version: "1.0.0", private: true }));
  writeFileSync(path("package-lock.json"), JSON.stringify(lockfile));
  const installer = (script: string) =>
    writeFileSync(path("npm-cli.js"), `const fs = require("node:fs"); fs.appendFileSync("calls", "x"); ${script}`);
  installer(installs);
  return { path, installer, calls: () => (existsSync(path("calls")) ? readFileSync(path("calls")).length : 0) };
}

type Run = { env?: NodeJS.ProcessEnv; next?: string[] };

async function ensure(
  project: Project,
  { env = {}, next = [] }: Run = {},
): Promise<{ status: number; stderr: string }> {
  const child = spawn(process.execPath, [project.path("scripts/ensure.mjs"), ...next], {
    env: { ...process.env, npm_execpath: project.path("npm-cli.js"), npm_node_execpath: process.execPath, ...env },
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (chunk) => {
    stderr += chunk;
  });
  child.stdout.on("data", () => assert.fail("standard output belongs to the command that follows"));
  const [status] = await once(child, "close");
  return { status, stderr };
}

describe("ensure", () => {
  it("installs with the real npm", async (t) => {
    const project = createProject(t);
    const manifest = { name: "part", version: "1.0.0" };
    mkdirSync(project.path("packages/part"), { recursive: true });
    writeFileSync(project.path("packages/part/package.json"), JSON.stringify(manifest));
    writeFileSync(
      project.path("package.json"),
      JSON.stringify({ name: "p", version: "1.0.0", workspaces: ["packages/*"] }),
    );
    const packages = {
      "": { name: "p", version: "1.0.0", workspaces: ["packages/*"] },
      "node_modules/part": { resolved: "packages/part", link: true },
      "packages/part": manifest,
    };
    writeFileSync(project.path("package-lock.json"), JSON.stringify({ ...lockfile, packages }));
    const { status, stderr } = await ensure(project, { env: { npm_execpath: "", npm_config_offline: "true" } });
    assert.equal(status, 0, stderr);
    assert.match(readFileSync(project.path("node_modules/.weft-lock-hash"), "utf8"), /^[\da-f]{64} system all$/);
    assert.ok(existsSync(project.path("node_modules/part/package.json")));
    assert.deepEqual(JSON.parse(readFileSync(project.path("package-lock.json"), "utf8")).packages, packages);
  });

  it("installs once, then is quiet until the lockfile changes", async (t) => {
    const project = createProject(t);
    assert.match((await ensure(project)).stderr, /^weft: installing .*\nweft: no pinned Node runs on .*\n$/);
    assert.deepEqual(await ensure(project), { status: 0, stderr: "" });
    assert.equal(project.calls(), 1);
    const packages = { "": {}, "node_modules/a": { version: "1.0.0" } };
    writeFileSync(project.path("package-lock.json"), JSON.stringify({ ...lockfile, packages }));
    assert.equal((await ensure(project)).status, 0);
    assert.equal(project.calls(), 2);
  });

  it("installs what running needs at first, then the rest, and never goes back", async (t) => {
    const project = createProject(t);
    const write = (tool: string) => {
      const packages = {
        "": {},
        "node_modules/a": { version: "1.0.0" },
        "node_modules/b": { version: tool, dev: true },
      };
      writeFileSync(project.path("package-lock.json"), JSON.stringify({ ...lockfile, packages }));
    };
    project.installer(`const { packages: { "": _, ...all } } = JSON.parse(fs.readFileSync("package-lock.json", "utf8"));
      const packages = process.argv.includes("--omit=dev")
        ? Object.fromEntries(Object.entries(all).filter(([, { dev }]) => !dev)) : all;
      fs.writeFileSync("node_modules/.package-lock.json", JSON.stringify({ packages }));`);
    const installed = () => {
      const { packages } = JSON.parse(readFileSync(project.path("node_modules/.package-lock.json"), "utf8"));
      return Object.keys(packages).join(" ");
    };
    const both = "node_modules/a node_modules/b";
    const steps: [tool: string, next: string[], calls: number, installed: string][] = [
      ["1.0.0", ["--to-run"], 1, "node_modules/a"],
      ["1.0.0", ["--to-run"], 1, "node_modules/a"],
      ["1.0.0", [], 2, both],
      ["1.0.0", ["--to-run"], 2, both],
      ["1.0.1", ["--to-run"], 3, both],
      ["1.0.1", [], 3, both],
    ];
    for (const [tool, next, calls, expected] of steps) {
      write(tool);
      const { status, stderr } = await ensure(project, { next });
      assert.equal(status, 0, stderr);
      assert.deepEqual([project.calls(), installed()], [calls, expected]);
    }
  });

  it("repeats a whole install that was killed, also when only what runs is asked for", async (t) => {
    const project = createProject(t);
    project.installer("process.kill(process.pid, 'SIGKILL')");
    assert.equal((await ensure(project)).status, 1);
    project.installer(`${installs} fs.writeFileSync("arguments", process.argv.join(" "))`);
    assert.equal((await ensure(project, { next: ["--to-run"] })).status, 0);
    assert.match(readFileSync(project.path("arguments"), "utf8"), /--include=dev/);
  });

  it("removes the headers of the pinned Node, which only addons need", async (t) => {
    const project = createProject(t);
    const platform = process.platform === "win32" ? "win" : process.platform;
    const headers = `node_modules/node-${platform}-${process.arch}/include`;
    project.installer(`${installs} fs.mkdirSync("${headers}", { recursive: true })`);
    assert.equal((await ensure(project)).status, 0);
    assert.equal(existsSync(project.path(headers)), false);
  });

  it("fails with a sentence, keeps what there was and tries again the next time", async (t) => {
    const project = createProject(t);
    project.installer('fs.writeFileSync("node_modules/old", ""); process.exit(7)');
    const { status, stderr } = await ensure(project);
    assert.equal(status, 1);
    assert.match(stderr, /weft: the dependencies could not be installed; .*check the network.*\n$/);
    project.installer(installs);
    assert.equal((await ensure(project)).status, 0);
    assert.equal(existsSync(project.path("node_modules/old")), true);
    assert.deepEqual(await ensure(project), { status: 0, stderr: "" });
  });

  it("removes what a killed npm left before it installs again", async (t) => {
    const project = createProject(t);
    project.installer(`${installs} fs.writeFileSync("node_modules/half", ""); process.kill(process.pid, "SIGKILL")`);
    assert.equal((await ensure(project)).status, 1);
    project.installer(installs);
    assert.equal((await ensure(project)).status, 0);
    assert.equal(existsSync(project.path("node_modules/half")), false);
  });

  it("says so when npm leaves the pinned Node out", async (t) => {
    const project = createProject(t);
    const platform = process.platform === "win32" ? "win" : process.platform;
    const optionalDependencies = { [`node-${platform}-${process.arch}`]: "24.21.0" };
    writeFileSync(project.path("package.json"), JSON.stringify({ name: "p", optionalDependencies }));
    const { status, stderr } = await ensure(project);
    assert.equal(status, 1);
    assert.match(stderr, /npm did not install node-\S+, the pinned Node/);
  });

  it("installs again where a developer's npm went on without the pinned Node", async (t) => {
    const project = createProject(t);
    const name = `node-${process.platform}-${process.arch}`;
    const packages = { "": {}, [`node_modules/${name}`]: { version: "24.21.0", optional: true } };
    const write = (file: string, content: object) => writeFileSync(project.path(file), JSON.stringify(content));
    write("package.json", { name: "p", optionalDependencies: { [name]: "24.21.0" } });
    write("package-lock.json", { ...lockfile, packages });
    mkdirSync(project.path("node_modules"));
    write("node_modules/.package-lock.json", { packages: {} });
    project.installer(`${installs}
      fs.mkdirSync("node_modules/.bin");
      fs.mkdirSync("node_modules/${name}/bin", { recursive: true });
      fs.symlinkSync(process.execPath, "node_modules/${name}/bin/node");
      fs.symlinkSync("../${name}/bin/node", "node_modules/.bin/node");`);
    const { status, stderr } = await ensure(project);
    assert.equal(status, 0, stderr);
    assert.deepEqual([project.calls(), (await ensure(project)).stderr], [1, ""]);
  });

  it("runs what comes next on the pinned Node, also when it has just been installed", async (t) => {
    const project = createProject(t);
    const name = `node-${process.platform}-${process.arch}`;
    const manifest = { name: "p", optionalDependencies: { [name]: "24.21.0" } };
    writeFileSync(project.path("package.json"), JSON.stringify(manifest));
    const program = `#!/bin/sh\nPINNED=yes exec "${process.execPath}" "$@"\n`;
    project.installer(`${installs}
      fs.mkdirSync("node_modules/.bin");
      fs.mkdirSync("node_modules/${name}/bin", { recursive: true });
      fs.writeFileSync("node_modules/${name}/bin/node", ${JSON.stringify(program)}, { mode: 0o755 });
      fs.symlinkSync("../${name}/bin/node", "node_modules/.bin/node");`);
    const next = "console.log(process.env.PINNED, process.argv[2]); process.exit(3);";
    writeFileSync(project.path("next.mjs"), next);
    for (const _ of ["installs", "is there"]) {
      const { status, stderr } = await ensure(project, { next: ["next.mjs", "--or-go-on"] });
      assert.equal(status, 3);
      assert.match(stderr, /^yes --or-go-on$/m);
    }
    project.installer("process.exit(7)");
    writeFileSync(
      project.path("package-lock.json"),
      JSON.stringify({ ...lockfile, version: "2.0.0", packages: { "": {}, "node_modules/a": { version: "1.0.0" } } }),
    );
    const failed = await ensure(project, { next: ["next.mjs"] });
    assert.equal(failed.status, 1);
    assert.doesNotMatch(failed.stderr, /^yes/m);
  });

  it("is followed by nothing in its own shell, which remembers the Node that it found first", () => {
    const { scripts } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
    const chained = Object.values<string>(scripts).filter((script) => /ensure\.mjs.*&&/.test(script));
    assert.deepEqual(chained, []);
  });

  it("has a lockfile with the optional packages of every platform, without which npm ci refuses it", () => {
    const { packages } = JSON.parse(readFileSync(new URL("../package-lock.json", import.meta.url), "utf8"));
    type Locked = { optionalDependencies?: Record<string, string> };
    const missing = Object.entries<Locked>(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) => !(`node_modules/${name}` in packages || `${path}/node_modules/${name}` in packages),
      ),
    );
    assert.deepEqual(missing, []);
  });

  it("does not trust an npm that installed something else", async (t) => {
    const project = createProject(t);
    project.installer('fs.writeFileSync("node_modules/.package-lock.json", \'{"packages":{"node_modules/a":{}}}\')');
    for (const _ of [1, 2]) {
      const { status, stderr } = await ensure(project);
      assert.equal(status, 1);
      assert.match(stderr, /npm installed something else than package-lock\.json names/);
    }
  });

  it("installs once when several processes begin together", async (t) => {
    const project = createProject(t);
    project.installer(`Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300); ${installs}`);
    const results = await Promise.all([1, 2, 3].map(() => ensure(project)));
    assert.deepEqual(
      results.map((result) => result.status),
      [0, 0, 0],
    );
    assert.equal(project.calls(), 1);
    assert.equal(existsSync(project.path(".cache/ensure.lock")), false);
  });

  it("takes over the lock of a process that died", async (t) => {
    const project = createProject(t);
    const dead = spawnSync(process.execPath, ["--version"]).pid;
    mkdirSync(project.path(".cache/ensure.lock"), { recursive: true });
    writeFileSync(project.path(".cache/ensure.lock/owner"), String(dead));
    assert.equal((await ensure(project)).status, 0);
    assert.equal(project.calls(), 1);
  });

  it("accepts what a developer's npm install left, if it is what the lockfile names", async (t) => {
    const project = createProject(t);
    project.installer("");
    const one = { version: "1.0.0" };
    const write = (name: string, packages: object) =>
      writeFileSync(project.path(name), JSON.stringify({ ...lockfile, packages }));
    mkdirSync(project.path("node_modules"));
    write("package-lock.json", { "": {}, "node_modules/a": one, "node_modules/b": { ...one, optional: true } });
    write("node_modules/.package-lock.json", { "node_modules/a": one });
    assert.equal((await ensure(project)).status, 0);
    assert.equal(project.calls(), 0);
    for (const packages of [{}, { "node_modules/a": { version: "1.0.1" } }, { "node_modules/a": one, stray: one }]) {
      rmSync(project.path("node_modules"), { recursive: true });
      mkdirSync(project.path("node_modules"));
      write("node_modules/.package-lock.json", packages);
      const before = project.calls();
      assert.match((await ensure(project)).stderr, /installed something else/);
      assert.equal(project.calls(), before + 1);
    }
  });
});
