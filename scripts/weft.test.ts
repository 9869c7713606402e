import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
type Command = { does: string; runs: readonly (readonly string[])[] };
const { commands }: { commands: ReadonlyMap<string, Command> } = await import(
  new URL("weft/commands.mjs", import.meta.url).href
);
const read = (path: string) => readFileSync(join(root, path), "utf8");
const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };

/** A repository whose one command says what it was given; its packages are there. */
function createProject(t: TestContext, script: string) {
  const folder = mkdtempSync(join(tmpdir(), "weft-weft-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "scripts/weft"), { recursive: true });
  for (const name of ["weft", "scripts/weft.mjs", "scripts/ensure.mjs"]) cpSync(join(root, name), join(folder, name));
  const table = `export const groups = { Some: {
    say: { does: "says", runs: [["scripts/say.mjs", "fixed"]] },
    both: { does: "fails first", runs: [["-e", "process.exit(5)"], ["scripts/say.mjs"]] },
    lanes: { does: "runs side by side", runs: [], lanes: [[["-e", "process.exit(7)"], ["scripts/say.mjs"]],
      [["-e", "console.log('one')"], ["-e", "console.log('two')"]]] } } };
  export const commands = new Map(Object.entries(groups.Some));`;
  writeFileSync(join(folder, "scripts/weft/commands.mjs"), table);
  writeFileSync(join(folder, "scripts/say.mjs"), script);
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "package-lock.json"), '{ "packages": { "": {} } }');
  mkdirSync(join(folder, "node_modules"));
  writeFileSync(join(folder, "node_modules/.package-lock.json"), '{ "packages": {} }');
  return folder;
}

const say = `console.log(JSON.stringify({
  args: process.argv.slice(2), folder: process.cwd(), path: process.env.PATH.split(":")[0] })); process.exitCode = 3;`;

/** Without `process.execve`, as on Windows and on Node 20. */
const old = { NODE_OPTIONS: "--import=data:text/javascript,delete%20process.execve" };

describe("weft", () => {
  for (const [way, env] of Object.entries({ "in place of itself": {}, "as a child": old })) {
    it(`runs a command ${way}, in its folder, with its exit status`, { skip: process.platform === "win32" }, (t) => {
      const folder = createProject(t, say);
      const options = { encoding: "utf8", cwd: tmpdir(), env: { ...process.env, ...env } } as const;
      for (const args of [
        ["a", "--b"],
        ["--", "a", "--b"],
      ]) {
        const { status, stdout, stderr } = spawnSync(join(folder, "weft"), ["say", ...args], options);
        assert.equal(status, 3, stderr);
        const expected = { args: ["fixed", "a", "--b"], folder, path: join(folder, "node_modules/.bin") };
        assert.deepEqual(JSON.parse(stdout), expected);
      }
      const failed = spawnSync(join(folder, "weft"), ["both"], options);
      assert.deepEqual([failed.status, failed.stdout], [5, ""]);
      const lanes = spawnSync(join(folder, "weft"), ["lanes"], options);
      assert.deepEqual([lanes.status, lanes.stdout], [7, "one\ntwo\n"], "a list that fails ends none beside it");
    });
  }

  it("ends with the command that a signal ends", { skip: process.platform === "win32" }, async (t) => {
    const folder = createProject(t, "setInterval(() => {}, 1_000); console.log(process.pid);");
    const child = spawn(join(folder, "weft"), ["say"], { env: { ...process.env, ...old } });
    const [pid] = await once(child.stdout.setEncoding("utf8"), "data");
    child.kill("SIGTERM");
    assert.deepEqual(await once(child, "close"), [null, "SIGTERM"]);
    assert.throws(() => process.kill(Number(pid), 0), { code: "ESRCH" });
  });

  it("lists its commands, and names the nearest when there is none", () => {
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [join(root, "scripts/weft.mjs"), ...args], { encoding: "utf8" });
    const { status, stdout } = run();
    assert.equal(status, 0);
    for (const [name, { does }] of commands) assert.match(stdout, new RegExp(`^  ${name} +${does}$`, "m"));
    assert.equal(run("--help").stdout, stdout);
    const wrong = run("chaoss");
    assert.deepEqual([wrong.status, wrong.stdout], [2, ""]);
    assert.equal(
      wrong.stderr,
      'weft: there is no command "chaoss". Did you mean chaos? List all of them with ./weft\n',
    );
    assert.equal(run("qqqqqq").stderr, 'weft: there is no command "qqqqqq". List all of them with ./weft\n');
    assert.match(run("toString").stderr, /there is no command "toString"/);
  });

  it("has a file for everything that it runs", () => {
    const files = [...commands.values()].flatMap(({ runs }) =>
      runs.map((run) => run.find((part) => !part.startsWith("-"))),
    );
    assert.deepEqual(
      files.filter((file) => file === undefined || !existsSync(join(root, file))),
      [],
    );
  });
});

describe("npm run", () => {
  it("has no more than 25 names, each of them to be typed", () => {
    assert.ok(Object.keys(scripts).length <= 25, String(Object.keys(scripts).length));
    const { prestart: _prestart, start: _start, weft, ...others } = scripts;
    assert.equal(weft, "node scripts/weft.mjs");
    for (const [name, script] of Object.entries(others)) {
      assert.equal(script, `node scripts/weft.mjs ${name}`);
      assert.ok(commands.has(name), name);
    }
  });

  it("exists, and so does every ./weft command, where documents and messages name one", () => {
    const patterns = [
      "*.md",
      "{docs,.ci,deploy}/**/*",
      "compose.yaml",
      "Dockerfile",
      "{apps/*,packages/*,imports}/src/**/*.{ts,tsx}",
    ];
    patterns.push("{proof,scripts}/**/*.{ts,mjs}", "flows/*.yaml", "examples/*", "openapi.json");
    const files = globSync(patterns, { cwd: root, withFileTypes: true }).filter((entry) => entry.isFile());
    assert.ok(files.length > 1_000);
    const missing = files
      .map((entry) => join(entry.parentPath, entry.name))
      // Old releases had other names.
      .filter((file) => !file.endsWith("CHANGELOG.md") && file !== fileURLToPath(import.meta.url))
      .flatMap((file) => findMissing(readFileSync(file, "utf8")).map((name) => `${file}: ${name}`));
    assert.deepEqual(missing, []);
  });
});

function findMissing(text: string): string[] {
  const ofNpm = [...text.matchAll(/\bnpm run (?:-s |--silent )?([a-z][\w:-]*)/g)].map(([, name = ""]) => name);
  const ofWeft = [...text.matchAll(/(?:\.\/weft|\bnpm run (?:-s )?weft --) ([a-z][\w:-]*)/g)].map(
    ([, name = ""]) => name,
  );
  return [
    ...ofNpm.filter((name) => !Object.hasOwn(scripts, name)).map((name) => `npm run ${name}`),
    ...ofWeft.filter((name) => !commands.has(name)).map((name) => `./weft ${name}`),
  ];
}
