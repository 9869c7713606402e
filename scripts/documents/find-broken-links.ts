import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { type Page, proseOf, readPage, root } from "./read-pages.ts";

/** Relative links to files or headings that do not exist, one line each. */
export function findBrokenLinks(page: Page): string[] {
  const prose = proseOf(page).replaceAll(/`[^`\n]*`/g, "");
  const links = Array.from(prose.matchAll(/\]\(([^()\s]+)\)/g), ([, link = ""]) => link);
  return links
    .filter((link) => !/^(https?|mailto):/.test(link))
    .flatMap((link) => {
      const reason = whyBroken(page, link);
      return reason === undefined ? [] : [`${page.path}: ${link} ${reason}`];
    });
}

function whyBroken(page: Page, link: string): string | undefined {
  const [file = "", anchor] = link.split("#");
  const target = file === "" ? page.path : posix.join(posix.dirname(page.path), file);
  if (file !== "" && !existsSync(join(root, target))) return "does not exist";
  if (anchor === undefined) return undefined;
  if (!target.endsWith(".md")) return "is no page with headings";
  const text = target === page.path ? page.text : readFileSync(join(root, target), "utf8");
  return anchorsOf(readPage(target, text)).has(anchor) ? undefined : "has no such heading";
}

/** As GitHub makes them: small letters, spaces as hyphens, no other signs; the second of a name ends in -1. */
function anchorsOf(page: Page): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of proseOf(page).matchAll(/^#{1,6} (.+)$/gm)) {
    const anchor = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
      .replaceAll(" ", "-");
    let unique = anchor;
    for (let count = 1; anchors.has(unique); count += 1) unique = `${anchor}-${count}`;
    anchors.add(unique);
  }
  return anchors;
}
