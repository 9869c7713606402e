import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { budgets, findExcess, measureBuilder } from "./measure-builder.ts";

/** A build whose chunks have these sizes; noise, so that gzip takes nothing away. */
function createBuild(t: TestContext, sizes: Record<string, number>, editor = "code-editor.js") {
  const dist = mkdtempSync(join(tmpdir(), "weft-build-"));
  t.after(() => rmSync(dist, { recursive: true, force: true }));
  mkdirSync(join(dist, ".vite"));
  for (const [file, bytes] of Object.entries(sizes)) writeFileSync(join(dist, file), randomBytes(bytes));
  const manifest = {
    "index.html": { file: "index.js", isEntry: true, dynamicImports: ["src/app.tsx", "messages/de.json"] },
    "src/app.tsx": {
      file: "app.js",
      imports: ["_framework.js", "_english.js", "index.html"],
      dynamicImports: ["_later.js"],
    },
    "messages/de.json": { file: "de.js" },
    "_framework.js": { file: "framework.js" },
    "_english.js": { file: "english.js" },
    "src/pages/agents/agents-page.tsx": { file: "agents.js", imports: ["_framework.js", "index.html"] },
    "src/pages/agent-editor/agent-editor-page.tsx": { file: "canvas.js", imports: ["_framework.js", "_editor.js"] },
    "_editor.js": { file: editor },
  };
  writeFileSync(join(dist, ".vite/manifest.json"), JSON.stringify(manifest));
  return dist;
}

const small = {
  "index.js": 500,
  "app.js": 500,
  "framework.js": 2_000,
  "english.js": 3_000,
  "agents.js": 4_000,
  "canvas.js": 8_000,
  "shared.js": 16_000,
};

test("counts what a page loads, shared chunks once, what is loaded on demand not at all", (t) => {
  const sizes = measureBuilder(createBuild(t, small, "shared.js"));
  assert.ok(sizes.beforeCanvas >= 7_000 && sizes.beforeCanvas < 7_200, String(sizes.beforeCanvas));
  assert.ok(sizes.texts >= 3_000 && sizes.texts < 3_100, String(sizes.texts));
  assert.ok(sizes.canvas >= 24_000 && sizes.canvas < 24_200, String(sizes.canvas));
  assert.deepEqual(findExcess(sizes), []);
});

test("names each budget that is exceeded", (t) => {
  const large = {
    ...small,
    "framework.js": budgets.beforeCanvas,
    "canvas.js": budgets.canvas,
    "english.js": budgets.texts,
  };
  const excess = findExcess(measureBuilder(createBuild(t, large, "shared.js")));
  assert.equal(excess.length, 3);
  assert.match(excess[0] ?? "", /beforeCanvas is 26\d kB .*260 kB are allowed/);
  assert.match(excess[1] ?? "", /canvas is 316 kB/);
});

test("refuses a canvas that loads the code editor at once, and a build without the canvas", (t) => {
  const dist = createBuild(t, { ...small, "code-editor.js": 10 });
  assert.match(findExcess(measureBuilder(dist))[0] ?? "", /code editor is loaded at once/);
  writeFileSync(
    join(dist, ".vite/manifest.json"),
    JSON.stringify({ "index.html": { file: "index.js" }, "src/app.tsx": { file: "app.js" } }),
  );
  assert.throws(() => measureBuilder(dist), /has no src\/pages/);
});
