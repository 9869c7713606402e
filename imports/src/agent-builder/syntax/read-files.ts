import type { ImportFile } from "@weft/dialects/importer";
import { parseJavaScript } from "./parse-javascript.ts";
import { parsePython } from "./parse-python.ts";
import type { Language, Statement } from "./program.ts";

/** One file of a program. `problem`: why it was not read. */
export type SourceFile = { name: string; language: Language; statements: Statement[]; problem?: string };

/** Most characters of a program, all files together. */
const maxCharacters = 500_000;
/** Brackets that may be open at once: more are no program. */
const maxBrackets = 300;
const maxFiles = 50;

/** Reads the files of one program as data. Nothing is executed, and nothing throws. */
export function readFiles(files: readonly ImportFile[]): SourceFile[] {
  let left = maxCharacters;
  return files.slice(0, maxFiles).map(({ name, text }) => {
    left -= text.length;
    const empty = { name, language: "javascript" as const, statements: [] };
    if (left < 0) {
      const problem = `"${name.slice(0, 100)}" makes the program longer than ${maxCharacters} characters. Import its workflow alone.`;
      return { ...empty, problem };
    }
    const code = toCode(text);
    if (deepestBrackets(code.text) > maxBrackets) {
      return { ...empty, problem: `"${name.slice(0, 100)}" is nested too deeply to be a workflow. Remove that part.` };
    }
    const language = languageOf(name, code);
    const statements = language === "python" ? parsePython(code.text) : parseJavaScript(withSingleQuotes(code.text));
    return { name, language, statements };
  });
}

type Code = { text: string; fence: string };

/** The program without a byte order mark, and without the fence of a Markdown text around it. */
export function toCode(text: string): Code {
  const plain = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  const begin = /^[ \t]*```[ \t]*(\w*)[^\n]*\n/m.exec(plain);
  const first = /^(import|from|const|let|var|def|class|async|export|@)\b/m.exec(plain);
  if (!begin || (first && first.index < begin.index)) return { text: plain, fence: "" };
  return { text: insideFences(plain.slice(begin.index)), fence: (begin[1] ?? "").toLowerCase() };
}

/** The blocks of code one after the other. A fence with a language inside a block opens another one in its text. */
function insideFences(text: string): string {
  const kept: string[] = [];
  let depth = 0;
  for (const line of text.split("\n")) {
    const fence = /^[ \t]*```[ \t]*(\S*)[ \t]*$/.exec(line);
    const isOpening = fence !== null && (depth === 0 || fence[1] !== "");
    const isClosing = fence !== null && !isOpening;
    if (isClosing) depth -= 1;
    // Prose and the outer fences stay as empty lines, so that lines keep their numbers.
    kept.push(depth > 0 ? line : "");
    if (isOpening) depth += 1;
  }
  return kept.join("\n");
}

/** Exports write some texts between two back-ticks on either side. No line and no length changes. */
function withSingleQuotes(text: string): string {
  return text.replaceAll(/([:=(,][ \t]*)``(?=[ \t]*[\n\p{L}])([^`]*)``(?!`)/gu, "$1 `$2` ");
}

function languageOf(name: string, { text, fence }: Code): Language {
  if (/\.pyi?$/i.test(name) || /^py/.test(fence)) return "python";
  if (/\.[cm]?[jt]sx?$/i.test(name) || /^(ts|js|typescript|javascript|tsx|jsx)$/.test(fence)) return "javascript";
  const head = text.slice(0, 200_000);
  const count = (pattern: RegExp) => head.match(pattern)?.length ?? 0;
  const python = count(
    /^\s*(?:(?:async )?def \w+\(.*|class \w+.*|el(?:if .*|se)|with .*|if .*):\s*$|^from [\w.]+ import /gm,
  );
  const script = count(/^\s*(?:export |const |let |import [{*\w])|=>|[;{}]\s*$/gm);
  return python > 0 && python * 3 >= script ? "python" : "javascript";
}

/** Counts brackets as if there were no texts: enough to tell a program from what only breaks parsers. */
function deepestBrackets(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 40 || code === 91 || code === 123) deepest = Math.max(deepest, ++depth);
    else if ((code === 41 || code === 93 || code === 125) && depth > 0) depth -= 1;
  }
  return deepest;
}
