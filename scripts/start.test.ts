import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";

const main = `import { stamp } from "./part.ts";
const { late } = await import("./late.ts");
console.log(JSON.stringify({
  stamp, late, args: process.argv.slice(2), options: process.execArgv, pid: process.pid,
  script: process.argv[1], arenas: process.env.MALLOC_ARENA_MAX, place: import.meta.url, page: import.meta.resolve("./page.html"),
}));
process.exitCode = 3;`;

const command = (entry: string) => `import { stamp } from ".${entry === "cli" ? "./" : "/../../server/src/"}part.ts";
console.log(JSON.stringify({ entry: "${entry}", stamp, args: process.argv.slice(2), script: process.argv[1] }));`;

/** A repository whose server says how it was started. */
function createProject(t: TestContext, { hasBundler = true } = {}) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "weft-start-")));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  write("package.json", '{ "type": "module" }');
  write("package-lock.json", "{}");
  write("packages/server/package.json", '{ "type": "module" }');
  write("packages/server/src/main.ts", main);
  write("packages/server/src/cli/main.ts", command("cli"));
  write("packages/workbench/package.json", '{ "type": "module" }');
  write("packages/workbench/src/main.ts", command("workbench"));
  write("packages/server/src/part.ts", "export const stamp: string = 'first';");
  write("packages/server/src/late.ts", "export const late: number = 1;");
  mkdirSync(join(root, "scripts"));
  for (const name of ["start.mjs", "command.mjs", "server-bundle.mjs"])
    copyFileSync(fileURLToPath(new URL(name, import.meta.url)), join(root, "scripts", name));
  if (hasBundler) symlinkSync(fileURLToPath(new URL("../node_modules", import.meta.url)), join(root, "node_modules"));
  const bundles = join(root, ".cache/server");
  return {
    root,
    write,
    bundles: () => (existsSync(bundles) ? readdirSync(bundles).filter((name) => name !== "inputs.json") : []),
    start: (env: Record<string, string> = {}) =>
      run(["--max-semi-space-size=8", join(root, "scripts/start.mjs"), "an argument"], env),
    command: (...args: string[]) => run([join(root, "scripts/command.mjs"), ...args]),
  };
}

function run(args: readonly string[], env: Record<string, string> = {}) {
  const child = spawnSync(process.execPath, args, { encoding: "utf8", timeout: 30_000, env });
  return { ...child, said: child.stdout === "" ? undefined : JSON.parse(child.stdout) };
}

describe("start", () => {
  it("runs the bundle of the server, with the options, arguments, process id and exit status of its own", (t) => {
    const project = createProject(t);
    const { said, status, stderr, pid } = project.start();
    assert.equal(stderr, "");
    assert.equal(status, 3);
    const [bundle] = project.bundles();
    assert.equal(said.script, join(project.root, ".cache/server", String(bundle), "main.mjs"));
    assert.deepEqual(said.args, ["an argument"]);
    assert.deepEqual(said.options, ["--max-semi-space-size=8"]);
    assert.equal(said.pid, pid);
    assert.equal(said.late, 1);
  });

  it("gives all threads one arena, unless the operator says otherwise", { skip: process.platform !== "linux" }, (t) => {
    const project = createProject(t);
    assert.equal(project.start().said.arenas, "1");
    assert.equal(project.start({ MALLOC_ARENA_MAX: "4" }).said.arenas, "4");
  });

  it("finds files beside the sources, not beside the bundle", (t) => {
    const project = createProject(t);
    const { said } = project.start();
    assert.equal(fileURLToPath(said.place), join(project.root, "packages/server/src/main.ts"));
    assert.equal(fileURLToPath(said.page), join(project.root, "packages/server/src/page.html"));
  });

  it("keeps calls that are made for what they throw", (t) => {
    const project = createProject(t);
    project.write(
      "packages/server/src/part.ts",
      `function fails(check: () => void) { try { check(); return false; } catch { return true; } }
      export const stamp = [
        fails(() => { decodeURIComponent("%ff"); }),
        fails(() => { JSON.parse("{"); }),
        fails(() => { new URL("no address"); }),
        fails(() => { new RegExp("("); }),
        fails(() => { BigInt("x"); }),
      ];`,
    );
    assert.deepEqual(project.start().said.stamp, [true, true, true, true, true]);
  });

  it("makes the bundle once, and again when a source or the lockfile changes", (t) => {
    const project = createProject(t);
    project.start();
    project.start();
    assert.equal(project.bundles().length, 1);
    project.write("packages/server/src/part.ts", "export const stamp: string = 'second';");
    assert.equal(project.start().said.stamp, "second");
    project.write("package-lock.json", '{ "a": 1 }');
    project.start();
    assert.equal(project.bundles().length, 3);
  });

  it("keeps the last bundles for servers that run from them, and no more", (t) => {
    const project = createProject(t);
    for (let change = 0; change < 6; change += 1) {
      project.write("packages/server/src/part.ts", `export const stamp: number = ${change};`);
      assert.equal(project.start().said.stamp, change);
    }
    assert.equal(project.bundles().length, 4);
  });

  it("removes what a killed attempt left, and leaves one that is under way", (t) => {
    const project = createProject(t);
    for (const name of ["new.1", "new.2"]) project.write(`.cache/server/${name}/main.mjs`, "");
    utimesSync(join(project.root, ".cache/server/new.1"), 0, 0);
    project.start();
    assert.deepEqual(
      project.bundles().filter((name) => name.startsWith("new.")),
      ["new.2"],
    );
  });

  it("makes it again when it is broken or gone", (t) => {
    const project = createProject(t);
    project.start();
    project.write(".cache/server/inputs.json", "[");
    assert.equal(project.start().status, 3);
    rmSync(join(project.root, ".cache/server", String(project.bundles()[0])), { recursive: true });
    assert.match(project.start().said.script, /main\.mjs$/);
  });

  it("runs the sources where there is no bundler, and says so", (t) => {
    const { said, status, stderr } = createProject(t, { hasBundler: false }).start();
    assert.match(stderr, /^weft: the server could not be bundled, .*Cannot find package 'rolldown'/);
    assert.equal(status, 3);
    assert.match(said.script, /main\.ts$/);
  });
});

describe("a command", () => {
  it("runs from the bundle of the last start, and from the sources when they are others", (t) => {
    const project = createProject(t);
    project.start();
    for (const entry of ["cli", "workbench"]) {
      const { said, stderr } = project.command(entry, "doctor", "--json");
      assert.equal(stderr, "");
      assert.match(said.script, new RegExp(`${entry}\\.mjs$`));
      assert.deepEqual([said.entry, said.stamp, said.args], [entry, "first", ["doctor", "--json"]]);
    }
    project.write("packages/server/src/part.ts", "export const stamp: string = 'second';");
    const { said } = project.command("cli", "doctor");
    assert.match(said.script, /packages\/server\/src\/cli\/main\.ts$/);
    assert.equal(said.stamp, "second");
    assert.equal(project.bundles().length, 1, "a command makes none");
  });

  it("runs from the sources where nothing was started, and names what there is", (t) => {
    const project = createProject(t, { hasBundler: false });
    assert.equal(project.command("workbench", "check").said.entry, "workbench");
    assert.match(project.command("toString").stderr, /Name one of main, cli, workbench, not "toString"/);
  });
});
