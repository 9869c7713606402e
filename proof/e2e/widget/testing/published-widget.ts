import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Page } from "playwright-core";

const run = promisify(execFile);

/** The widget that Flowise users embed in their sites (MIT). We fetch its one script, because its package depends on a server. */
const published = {
  package: "flowise-embed@3.1.6",
  archive: "flowise-embed-3.1.6.tgz",
  sha512: "xSrvBDiEvIIzRFsPBgmzG3SdfBeG4wBzdchdMurft5PQcdYO0HfB8cwGhn00fE5JOsdhVZXfJ3Fq6e/DgrW4ag==",
  script: "package/dist/web.js",
};

const folder = fileURLToPath(new URL("../../../../.cache/published-widget", import.meta.url));

/** The widget as one script, downloaded once; undefined where npm reaches no registry. Rejects when it is not the one that is pinned. */
export async function readPublishedWidget(): Promise<string | undefined> {
  const script = join(folder, "web.js");
  return readFile(script, "utf8").catch(async () => {
    await mkdir(folder, { recursive: true });
    // Of this process alone: others may fetch it at the same time.
    const own = await mkdtemp(join(folder, "fetch-"));
    try {
      const isFetched = await run("npm", ["pack", "--silent", "--pack-destination", own, published.package]).then(
        () => true,
        () => false,
      );
      if (!isFetched) return undefined;
      const archive = join(own, published.archive);
      const sha512 = createHash("sha512").update(await readFile(archive));
      if (sha512.digest("base64") !== published.sha512) {
        throw new Error(`${archive} is not ${published.package} as it was published.`);
      }
      const { stdout } = await run("tar", ["-xzOf", archive, published.script], { maxBuffer: 8 * 1_024 * 1_024 });
      await writeFile(join(own, "web.js"), stdout);
      await rename(join(own, "web.js"), script);
      return stdout;
    } finally {
      await rm(own, { recursive: true, force: true });
    }
  });
}

/**
 * Does what makes the widget ask whether the agent streams, and waits until it knows. Before, it asks for answers as a whole
 * and reads nothing aloud.
 */
export async function untilItKnowsThatTheAgentStreams(page: Page, act: () => Promise<void>): Promise<void> {
  const known = page.waitForResponse((response) => response.url().includes("/chatflows-streaming/"));
  await act();
  await (await known).finished();
}
