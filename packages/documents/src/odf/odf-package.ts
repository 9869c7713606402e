import { walkXml } from "../ooxml/walk-xml.ts";
import type { ReadContext } from "../read-context.ts";
import { Unreadable } from "../unreadable.ts";
import { openArchive } from "../zip/archive.ts";
import { createOdfStyles, type OdfStyles } from "./odf-styles.ts";

export type OdfPackage = {
  content: Uint8Array;
  /** Shared by all parts; the content adds its own. */
  styles: OdfStyles;
  title: string;
};

/** Opens an OpenDocument file. Source: OpenDocument 1.3, parts 2 (packages) and 3 (schema). */
export function openOdfPackage({ bytes, format, limits }: ReadContext): OdfPackage {
  const archive = openArchive(bytes, limits);
  if (isEncrypted(archive.read("META-INF/manifest.xml"))) {
    throw new Unreadable("it is protected by a password; save it without one");
  }
  const content = archive.read("content.xml");
  if (content === undefined) throw new Unreadable(`it is no ${format} file: its content is missing`);
  const styles = createOdfStyles();
  walkXml(archive.read("styles.xml") ?? new Uint8Array(), { open: styles.note });
  return { content, styles, title: readTitle(archive.read("meta.xml")) };
}

function isEncrypted(manifest: Uint8Array | undefined): boolean {
  let found = false;
  walkXml(manifest ?? new Uint8Array(), {
    open(name) {
      if (name === "encryption-data") found = true;
    },
  });
  return found;
}

function readTitle(meta: Uint8Array | undefined): string {
  let title = "";
  let isTitle = false;
  walkXml(meta ?? new Uint8Array(), {
    open(name) {
      isTitle = name === "title";
    },
    close() {
      isTitle = false;
    },
    text(text) {
      if (isTitle) title += text;
    },
  });
  return title;
}
