import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** A fenced block. */
export type Block = {
  /** As the page says it: `README.md:30`. */
  place: string;
  page: string;
  /** `sh`, `json`, …; empty where the fence names none. */
  language: string;
  text: string;
  /** What it needs that a test has not: from `<!-- not run: REASON -->` above it. */
  notRun: string | undefined;
};

export type Page = { path: string; text: string; blocks: readonly Block[] };

/** Every page that people read, by its path from the root. Decisions and the changelog are records of their time. */
export function readPages(): Page[] {
  return globSync(["*.md", "docs/*.md", "docs/{how-to,reference}/*.md", "examples/*.md"], { cwd: root })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path !== "CHANGELOG.md")
    .sort()
    .map((path) => readPage(path, readFileSync(join(root, path), "utf8")));
}

export function readPage(path: string, text: string): Page {
  const fence = /^(?<indent> *)```(?<language>\w*)\n(?<body>[\s\S]*?)^ *```$/gm;
  const blocks = Array.from(
    text.matchAll(fence),
    ({ index, groups: { indent = "", language = "", body = "" } = {} }) => {
      const before = text.slice(0, index).trimEnd();
      return {
        page: path,
        place: `${path}:${text.slice(0, index).split("\n").length}`,
        language,
        text: body.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
        notRun: /<!-- not run: ([^\n]+) -->$/.exec(before)?.[1],
      };
    },
  );
  return { path, text, blocks };
}

/** The text without what stands in fences. */
export function proseOf({ text }: Page): string {
  return text.replaceAll(/^ *```\w*\n[\s\S]*?^ *```$/gm, "");
}
