import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The widget that Flowise users embed in their sites (MIT). We fetch its one script, because its package depends on a server. */
const published = {
  package: "flowise-embed@3.1.6",
  archive: "flowise-embed-3.1.6.tgz",
  sha512: "xSrvBDiEvIIzRFsPBgmzG3SdfBeG4wBzdchdMurft5PQcdYO0HfB8cwGhn00fE5JOsdhVZXfJ3Fq6e/DgrW4ag==",
  script: "package/dist/web.js",
};

const folder = fileURLToPath(new URL("../../../.cache/published-widget", import.meta.url));

/** The widget as one script, downloaded once; undefined where npm reaches no registry. Rejects when it is not the one that is pinned. */
export async function readPublishedWidget(): Promise<string | undefined> {
  const script = join(folder, "web.js");
  return readFile(script, "utf8").catch(async () => {
    await mkdir(folder, { recursive: true });
    const isFetched = await run("npm", ["pack", "--silent", "--pack-destination", folder, published.package]).then(
      () => true,
      () => false,
    );
    if (!isFetched) return undefined;
    const archive = join(folder, published.archive);
    const sha512 = createHash("sha512").update(await readFile(archive));
    if (sha512.digest("base64") !== published.sha512) {
      throw new Error(`${archive} is not ${published.package} as it was published.`);
    }
    const { stdout } = await run("tar", ["-xzOf", archive, published.script], { maxBuffer: 8 * 1_024 * 1_024 });
    await writeFile(`${script}.part`, stdout);
    await rename(`${script}.part`, script);
    return stdout;
  });
}
