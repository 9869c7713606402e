import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

/** What Vite writes of each chunk; keys are sources, and `_name` for chunks of several. */
type Manifest = Record<string, { file: string; isEntry?: boolean; imports?: string[] }>;

/** Bytes after gzip: of JavaScript, but for the texts. */
export type BuilderSizes = {
  /** What is loaded before the canvas: the application and the list of agents. */
  beforeCanvas: number;
  /** What the page of the canvas loads beside that. */
  canvas: number;
  /** The English texts, which every page loads. Each language has about as much. */
  texts: number;
};

/** Source: the budgets that the builder was designed for. */
export const budgets: BuilderSizes = { beforeCanvas: 260_000, canvas: 300_000, texts: 40_000 };

const entry = "index.html";
/** Imported by the entry when it has chosen a language. */
const application = "src/app.tsx";
const agentsPage = "src/pages/agents/agents-page.tsx";
const canvasPage = "src/pages/agent-editor/agent-editor-page.tsx";

/** No page loads this library before someone writes code. */
const codeEditor = /code-editor/;

/** The chunk of messages/en.json. */
const texts = /english/;

/** Reads a build's manifest. What is imported on demand counts for no page. Throws when a page is not in the build. */
export function measureBuilder(dist: string): BuilderSizes & { loadsCodeEditor: boolean } {
  const manifest = JSON.parse(readFileSync(join(dist, ".vite/manifest.json"), "utf8")) as Manifest;
  const first = [...filesOf(manifest, [entry, application, agentsPage])];
  const before = new Set(first.filter((file) => !texts.test(file)));
  const canvas = new Set([...filesOf(manifest, [canvasPage])].filter((file) => !first.includes(file)));
  const sizeOf = (files: Set<string>) =>
    [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(dist, file)), { level: 9 }).length, 0);
  const english = new Set(first.filter((file) => texts.test(file)));
  const loadsCodeEditor = [...before, ...canvas].some((file) => codeEditor.test(file));
  return { beforeCanvas: sizeOf(before), canvas: sizeOf(canvas), texts: sizeOf(english), loadsCodeEditor };
}

/** One sentence for each budget that is exceeded. */
export function findExcess(sizes: ReturnType<typeof measureBuilder>): string[] {
  const found: string[] = [];
  for (const name of ["beforeCanvas", "canvas", "texts"] as const) {
    if (sizes[name] > budgets[name]) {
      found.push(`builder: ${name} is ${toKb(sizes[name])} after gzip; ${toKb(budgets[name])} are allowed.`);
    }
  }
  if (sizes.loadsCodeEditor) found.push("builder: the code editor is loaded at once; import it with import().");
  return found;
}

export function describeSizes({ beforeCanvas, canvas, texts }: BuilderSizes): string {
  const parts = `${toKb(beforeCanvas)} before the canvas, ${toKb(canvas)} with it, ${toKb(texts)} of texts`;
  return `builder: ${parts} (after gzip).`;
}

function filesOf(manifest: Manifest, keys: readonly string[]): Set<string> {
  const files = new Set<string>();
  const visit = (key: string): void => {
    const chunk = manifest[key];
    if (chunk === undefined) throw new Error(`The build has no ${key}.`);
    if (files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const imported of chunk.imports ?? []) visit(imported);
  };
  for (const key of keys) visit(key);
  return files;
}

function toKb(bytes: number): string {
  return `${Math.round(bytes / 1_000)} kB`;
}
