import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

/** Headings of an entry of the changelog, in their order. Under the first stand at most five lines. */
const headings = ["Headlines", "Restricted by the upgrade", "Added", "Changed", "Fixed"] as const;
const maxHeadlines = 5;

/** A file of `changes`: what users notice of one change, under one or more of the headings. */
export type Fragment = { name: string; text: string };

export function readFragments(root: string): Fragment[] {
  return globSync("changes/*.md", { cwd: root })
    .filter((file) => basename(file) !== "README.md")
    .sort()
    .map((file) => ({ name: file, text: readFileSync(join(root, file), "utf8") }));
}

/**
 * The entry of the next release, without its title: what stands under "Unreleased" in the changelog, then what the
 * fragments say, each under its heading. Empty if nothing changed. Throws for a fragment that is not one.
 */
export function composeEntry(changelog: string, fragments: readonly Fragment[]): string {
  const lines = new Map<string, string[]>(headings.map((heading) => [heading, []]));
  for (const { name, text } of [{ name: "CHANGELOG.md", text: unreleasedOf(changelog) }, ...fragments]) {
    for (const [heading, items] of readSections(name, text)) lines.get(heading)?.push(...items);
  }
  const headlines = lines.get("Headlines") ?? [];
  if (headlines.length > maxHeadlines)
    throw new Error(`There are ${headlines.length} headlines in changes/, and a release has at most ${maxHeadlines}.`);
  return [...lines]
    .filter(([, items]) => items.length > 0)
    .map(([heading, items]) => `### ${heading}\n${items.join("\n")}\n`)
    .join("\n");
}

/** The changelog with the entry in the place of "Unreleased". */
export function releaseEntry(changelog: string, title: string, entry: string): string {
  const released = `## ${title}\n\n${entry}\n`;
  const unreleased = /^## Unreleased\n[\s\S]*?(?=^## )/m;
  return unreleased.test(changelog)
    ? changelog.replace(unreleased, () => released)
    : changelog.replace(/^(?=## )/m, () => released);
}

function unreleasedOf(changelog: string): string {
  return /^## Unreleased\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(changelog)?.[1] ?? "";
}

/** Items of each heading. An item is a line that begins with "- ". */
function readSections(name: string, text: string): [string, string[]][] {
  const sections: [string, string[]][] = [];
  for (const line of text.split("\n").filter((one) => one.trim() !== "")) {
    const [, heading] = /^#{2,3} (.+)$/.exec(line) ?? [];
    if (heading !== undefined) {
      if (!(headings as readonly string[]).includes(heading))
        throw new Error(`${name}: "${heading}" is not a heading for changes. Use one of: ${headings.join(", ")}.`);
      sections.push([heading, []]);
      continue;
    }
    const section = sections.at(-1);
    if (section === undefined || !line.startsWith("- "))
      throw new Error(`${name}: begin with a heading (## Added) and each item with "- ", in one line.`);
    section[1].push(line);
  }
  if (name !== "CHANGELOG.md" && !sections.some(([, items]) => items.length > 0))
    throw new Error(`${name}: it says nothing.`);
  return sections;
}
