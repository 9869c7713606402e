import { text } from "node:stream/consumers";
import type { Download } from "playwright-core";

/** The text of a file that a page let one download, wherever its browser runs. */
export async function readDownload(download: Download): Promise<string> {
  return text(await download.createReadStream());
}
