import { WeftError } from "@weft/schema";
import { httpApi } from "./api/http-api.ts";
import { siteCrawl } from "./crawl/site-crawl.ts";
import type { Loader } from "./define-loader.ts";
import { file, folder } from "./file/index.ts";
import { plainText } from "./plain-text.ts";
import { webPage } from "./web/web-page.ts";

/** Every loader by its name in stores. A new loader is one file or folder and one line here. */
export const loaders = {
  "plain-text": plainText,
  file,
  folder,
  "web-page": webPage,
  "site-crawl": siteCrawl,
  "http-api": httpApi,
} as const satisfies Record<string, Loader>;

/** A loader by its name or that of existing clients. Throws `parameters-invalid`, listing the known ones. */
export function findLoader(name: string): Loader {
  const found = Object.values<Loader>(loaders).find(
    (loader) => loader.name === name || loader.aliases.names.includes(name),
  );
  if (found !== undefined) return found;
  const reason = `No loader is called "${name}". Use one of: ${Object.keys(loaders).join(", ")}.`;
  throw new WeftError("parameters-invalid", { params: { reason } });
}
