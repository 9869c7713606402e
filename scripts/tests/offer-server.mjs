import { spawnSync } from "node:child_process";
import { join } from "node:path";
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
