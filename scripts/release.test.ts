import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { lockedPackages } from "./release/sbom.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const version = "9.8.7";
const allPrograms = process.env.PATH;
const isClone = spawnSync("git", ["-C", root, "rev-parse", "HEAD"]).status === 0;
const skip = !isClone && "these files are no clone of the repository";

/** A clone of the repository as it is committed. */
function openClone(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), "weft-release-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const clone = join(folder, "weft");
  const into = join(folder, "files");
  const run = (command: string, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(command, args, { cwd: clone, encoding: "utf8" });
    return { status, stdout: stdout.trim(), stderr };
  };
  const cloned = spawnSync("git", ["clone", "--quiet", "--no-hardlinks", "--local", "--no-tags", root, clone], {
    encoding: "utf8",
  });
  assert.equal(cloned.status, 0, cloned.stderr);
  for (const [key, value] of [
    ["user.name", "Test"],
    ["user.email", "test@example.com"],
  ] as const)
    run("git", "config", key, value);
  const read = (file: string) => readFileSync(join(clone, file), "utf8");
  const release = (name: string, ...options: string[]) =>
    run(process.execPath, join(root, "scripts/release/main.ts"), name, "--into", into, "--without-pages", ...options);
  const write = (file: string, text: string) => writeFileSync(join(clone, file), text);
  return { into, run, read, write, release };
}

/** Leaves these programs alone on the path, in a folder of their own. */
function usePrograms(t: TestContext, programs: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "weft-path-"));
  t.after(() => {
    process.env.PATH = allPrograms;
    rmSync(folder, { recursive: true, force: true });
  });
  for (const name of programs) {
    const found = spawnSync("/bin/sh", ["-c", `command -v ${name}`], { encoding: "utf8", env: { PATH: allPrograms } });
    symlinkSync(found.stdout.trim(), join(folder, name));
  }
  process.env.PATH = folder;
  return folder;
}

/** Dependencies of workspaces on versions that no workspace has: `npm ci` would look for them in the registry. */
function strayDependencies(lockfile: string): string[] {
  type Locked = { name?: string; version?: string; dependencies?: Record<string, string> };
  const packages: Record<string, Locked> = JSON.parse(lockfile).packages;
  const workspaces = Object.entries(packages).filter(([path]) => path !== "" && !path.includes("node_modules/"));
  const versions = new Map(workspaces.map(([, { name, version }]) => [name, version]));
  return workspaces.flatMap(([path, { dependencies = {} }]) =>
    Object.entries(dependencies)
      .filter(([name, wanted]) => versions.has(name) && versions.get(name) !== wanted)
      .map(([name, wanted]) => `${path}: ${name}@${wanted}`),
  );
}

test("a release is refused without a version, with changes that are not committed, and where nothing changed", {
  skip,
}, (t) => {
  const { run, read, write, release } = openClone(t);
  assert.match(release("latest").stderr, /Name a version/);
  write("CHANGELOG.md", read("CHANGELOG.md").replace(/## Unreleased[\s\S]*?(?=## 0)/, ""));
  run("git", "rm", "--quiet", "--ignore-unmatch", "changes/[a-z]*.md");
  run("git", "commit", "--quiet", "--all", "-m", "docs: nothing");
  assert.match(release(version).stderr, /Nothing says what changed/);
  write("README.md", "changed");
  const refused = release(version);
  assert.match(refused.stderr, /uncommitted changes/);
  assert.equal(refused.status, 1);
  assert.equal(run("git", "tag").stdout, "");
});

test("an image is built from a base by digest alone, and nothing is released where none can be built", {
  skip,
}, (t) => {
  const { into, run, write, release } = openClone(t);
  write("changes/something.md", "## Added\n- Something new.\n");
  run("git", "add", "changes");
  run("git", "commit", "--quiet", "--all", "-m", "feat: something");
  assert.match(release(version, "--image", "node:24.21.0-slim").stderr, /does not pin an image.*with its digest/);
  usePrograms(t, ["git"]);
  const base = `node:24.21.0-slim@sha256:${"0".repeat(64)}`;
  assert.match(release(version, "--image", base).stderr, /needs docker, podman or buildah/);
  assert.equal(run("git", "tag").stdout, "");
  assert.equal(existsSync(into), false);

  const programs = usePrograms(t, ["git", "tar", "gzip"]);
  writeFileSync(join(programs, "buildah"), '#!/bin/sh\n[ "$1" = version ]\n', { mode: 0o755 });
  const failed = release(version, "--image", base).stderr;
  assert.match(failed, /buildah build failed\..* v9\.8\.7 is tagged already; take it back .*git tag --delete v9\.8\.7/);
});

test("a release is a tag, a tarball, its packages, where it is from, and checksums that hold", { skip }, (t) => {
  const { into, run, read, write, release } = openClone(t);
  write("changes/something.md", "## Added\n- Something new.\n");
  run("git", "add", "changes");
  run("git", "commit", "--quiet", "--all", "-m", "feat: something");
  const released = release(version);
  assert.equal(released.status, 0, released.stderr);
  assert.equal(run("git", "status", "--porcelain").stdout, "");
  const commit = run("git", "rev-parse", `v${version}^{commit}`).stdout;
  assert.equal(commit, run("git", "rev-parse", "HEAD").stdout);
  for (const file of ["package.json", "packages/server/package.json"])
    assert.equal(JSON.parse(read(file)).version, version);
  assert.equal(JSON.parse(read("openapi.json")).info.version, version);
  assert.deepEqual(strayDependencies(read("package-lock.json")), []);
  const [, entry = ""] = read("CHANGELOG.md").split(/^## /m);
  assert.match(entry, /^9\.8\.7 \(\d{4}-\d\d-\d\d\)\n/);
  assert.match(entry, /\n### Added\n[^#]*- Something new\.\n/);
  assert.equal(run("git", "ls-files", "changes").stdout, "changes/README.md");

  const sums = spawnSync("sha256sum", ["--check", "SHA256SUMS"], { cwd: into, encoding: "utf8" });
  assert.equal(sums.status, 0, sums.stderr);
  assert.equal(sums.stdout.split("OK").length - 1, 3);
  const listed = spawnSync("tar", ["-tzf", `weft-${version}.tar.gz`], { cwd: into, encoding: "utf8" }).stdout.split(
    "\n",
  );
  assert.ok(
    listed.includes(`weft-${version}/package-lock.json`) && !listed.some((path) => path.includes("node_modules")),
  );

  const written = (file: string) => JSON.parse(readFileSync(join(into, file), "utf8"));
  const { components, specVersion } = written("sbom.cdx.json");
  const locked = lockedPackages(read("package-lock.json"));
  assert.equal(specVersion, "1.6");
  assert.ok(locked.length > 500);
  const refs = components.map((component: { "bom-ref": string }) => component["bom-ref"]);
  assert.deepEqual(
    refs,
    locked.map(([path]) => path),
  );
  const zod = components.find(({ name }: { name: string }) => name === "zod");
  assert.match(zod.purl, /^pkg:npm\/zod@\d/);
  assert.match(zod.hashes[0].content, /^[0-9a-f]{128}$/);
  const scoped = components.find(({ name }: { name: string }) => name === "@ai-sdk/provider");
  assert.match(scoped.purl, /^pkg:npm\/%40ai-sdk\/provider@/);
  assert.deepEqual(scoped.licenses, [{ license: { name: "Apache-2.0" } }]);

  const { subject, predicate } = written("provenance.json");
  const [first = ""] = readFileSync(join(into, "SHA256SUMS"), "utf8").split("\n");
  assert.equal(first, `${subject[0].digest.sha256}  ${subject[0].name}`);
  assert.equal(predicate.buildDefinition.resolvedDependencies[0].digest.gitCommit, commit);
  assert.match(release(version).stderr, /tag v9\.8\.7 exists already/);
  assert.ok(existsSync(join(into, `weft-${version}.tar.gz`)));
});
