// `./weft release VERSION [--into FOLDER] [--without-pages] [--image BASE@sha256:…]`: see docs/releases.md.
import { spawnSync } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { composeEntry, readFragments, releaseEntry } from "./compose-entry.ts";
import { buildImage, findImageBuilder } from "./image.ts";
import { toSbom } from "./sbom.ts";

const options = {
  into: { type: "string", default: "release" },
  "without-pages": { type: "boolean", default: false },
  image: { type: "string" },
} as const;
const { values, positionals } = parseArgs({ allowPositionals: true, options });
const root = process.cwd();
const startedOn = new Date().toISOString();

try {
  release(positionals[0] ?? "");
} catch (error) {
  console.error(`weft release: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

function release(version: string): void {
  checkReady(version);
  if (values.image !== undefined) findImageBuilder(values.image);
  writeEntry(version);
  setVersion(version);
  if (!values["without-pages"]) {
    run(process.execPath, "scripts/ensure-builder.mjs");
    run(process.execPath, "scripts/server-bundle.mjs");
    run(process.execPath, "packages/engine/src/testing/journals-main.ts", version);
    run("git", "add", "packages/engine/journals");
  }
  if (run("git", "status", "--porcelain") !== "")
    run("git", "commit", "--quiet", "--all", "-m", `build: release ${version}`);
  run("git", "tag", "--annotate", `v${version}`, "-m", `Weft ${version}`);
  const folder = resolve(root, values.into);
  mkdirSync(folder, { recursive: true });
  const tarball = `weft-${version}.tar.gz`;
  pack(join(folder, tarball), version);
  writeJson(join(folder, "sbom.cdx.json"), toSbom(read("package-lock.json"), { version, at: startedOn }));
  const subjects = [tarball, "sbom.cdx.json"];
  if (values.image !== undefined) {
    writeJson(join(folder, "image.json"), imageOf(version, join(folder, tarball), values.image));
    subjects.push("image.json");
  }
  writeJson(join(folder, "provenance.json"), provenanceOf(version, folder, subjects));
  const files = [...subjects, "provenance.json"];
  const sums = files.map((file) => `${sha256(join(folder, file))}  ${file}\n`);
  writeFileSync(join(folder, "SHA256SUMS"), sums.join(""));
  console.log(`Weft ${version} is tagged v${version}; its files are in ${folder}. Nothing was pushed.`);
}

function imageOf(version: string, source: string, base: string): object {
  try {
    return buildImage(source, `weft:${version}`, base);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `${message} v${version} is tagged already; take it back before you try again: git tag --delete v${version} && git reset --hard HEAD~1.`,
      { cause },
    );
  }
}

/** Throws where a release would hold something else than what was committed, or what nobody has described. */
function checkReady(version: string): void {
  if (!/^\d{1,6}\.\d{1,6}\.\d{1,6}$/.test(version)) throw new Error("Name a version, such as 0.4.0.");
  if (run("git", "status", "--porcelain") !== "") throw new Error("There are uncommitted changes. Commit them first.");
  if (run("git", "tag", "--list", `v${version}`) !== "") throw new Error(`The tag v${version} exists already.`);
}

/** Moves what changed since the last release from `changes` and "Unreleased" into an entry of the changelog. */
function writeEntry(version: string): void {
  const fragments = readFragments(root);
  const changelog = read("CHANGELOG.md");
  const entry = composeEntry(changelog, fragments);
  if (entry === "")
    throw new Error("Nothing says what changed. Describe it in changes/ (see changes/README.md) first.");
  writeFileSync(join(root, "CHANGELOG.md"), releaseEntry(changelog, `${version} (${startedOn.slice(0, 10)})`, entry));
  for (const { name } of fragments) rmSync(join(root, name));
}

/** In every file that names the version of the product. */
function setVersion(version: string): void {
  const former = versionIn(read("package.json"));
  const places: [string, RegExp][] = [
    ["package.json", /^ {2}"version": "([^"]+)"/m],
    ["packages/server/package.json", /^ {2}"version": "([^"]+)"/m],
    ["package-lock.json", /^ {2}"version": "([^"]+)"/m],
    ["package-lock.json", /^ {4}"": \{\n {6}"name": "weft",\n {6}"version": "([^"]+)"/m],
    ["package-lock.json", /^ {4}"packages\/server": \{\n {6}"name": "@weft\/server",\n {6}"version": "([^"]+)"/m],
    // A dependency on another version than the one beside it would be looked for in the registry.
    ["packages/workbench/package.json", /^ {4}"@weft\/server": "([^"]+)"/m],
    ["package-lock.json", /^ {8}"@weft\/server": "([^"]+)"/m],
    ["openapi.json", /"info": \{[^{}]*?"version": "([^"]+)"/],
  ];
  for (const [file, pattern] of places) {
    const text = read(file);
    const found = pattern.exec(text);
    if (found?.[1] !== former) throw new Error(`${file} does not name version ${former} where it is expected.`);
    const renamed = `${found[0].slice(0, -former.length - 1)}${version}"`;
    writeFileSync(
      join(root, file),
      text.replace(found[0], () => renamed),
    );
  }
}

function versionIn(manifest: string): string {
  const [, version = ""] = /^ {2}"version": "([^"]+)"/m.exec(manifest) ?? [];
  return version;
}

/** What is committed under the tag, and the pages that were built from it. */
function pack(target: string, version: string): void {
  const built = values["without-pages"]
    ? []
    : globSync("packages/{builder,widget}/dist/**/*", { cwd: root, withFileTypes: true });
  const files = built
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
  const added = files.flatMap((file) => [`--prefix=weft-${version}/${dirname(file)}/`, `--add-file=${file}`]);
  run("git", "archive", "--format=tar.gz", ...added, `--prefix=weft-${version}/`, "-o", target, `v${version}`);
}

/** An unsigned statement (https://in-toto.io/Statement/v1, https://slsa.dev/provenance/v1). */
function provenanceOf(version: string, folder: string, files: readonly string[]): object {
  return {
    _type: "https://in-toto.io/Statement/v1",
    subject: files.map((name) => ({ name, digest: { sha256: sha256(join(folder, name)) } })),
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        buildType: "urn:weft:release:1",
        externalParameters: { version, pages: !values["without-pages"] },
        resolvedDependencies: [
          { name: "source", digest: { gitCommit: run("git", "rev-parse", `v${version}^{commit}`) } },
          { name: "package-lock.json", digest: { sha256: sha256(join(root, "package-lock.json")) } },
        ],
      },
      runDetails: {
        builder: {
          id: "urn:weft:release-script",
          version: { node: process.version, platform: `${process.platform}-${process.arch}` },
        },
        metadata: { invocationId: randomUUID(), startedOn, finishedOn: new Date().toISOString() },
      },
    },
  };
}

function run(command: string, ...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1_024 ** 2,
  });
  if (status !== 0)
    throw new Error(`${command} ${args.slice(0, 2).join(" ")} failed. ${stderr || (error?.message ?? "")}`);
  return stdout.trim();
}

function read(file: string): string {
  if (!existsSync(join(root, file))) throw new Error(`${file} is not here. Run it in the folder of the repository.`);
  return readFileSync(join(root, file), "utf8");
}

function writeJson(file: string, value: object): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}

function sha256(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}
