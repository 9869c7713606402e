import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { findServerBundle } from "../server-bundle.mjs";

/**
 * Makes the server's bundle where it is missing or old, and names it in `TEST_SERVER`: what starts a server many times
 * then looks for it once. Without a bundle each start runs the sources.
 */
export function offerServer(root) {
  if (findServerBundle(root, "main") === undefined) {
    spawnSync(process.execPath, [join(root, "scripts/server-bundle.mjs")], { stdio: "inherit" });
  }
  const server = findServerBundle(root, "main");
  if (server !== undefined) process.env.TEST_SERVER = server;
}

const unpacking = "packages/server/src/testing/previous-release.ts";

/**
 * Unpacks and installs the last release before the first of its tests: two of them would do it side by side, and each takes
 * longer for that than a file may stand still.
 */
export function offerPreviousRelease(root, files) {
  if (!files.some((file) => readFileSync(join(root, file), "utf8").includes("testing/previous-release.ts"))) return;
  const unpack = `import(${JSON.stringify(pathToFileURL(join(root, unpacking)).href)}).then((it) => it.unpackPreviousRelease())`;
  spawnSync(process.execPath, ["--eval", unpack], { stdio: "inherit" });
}
