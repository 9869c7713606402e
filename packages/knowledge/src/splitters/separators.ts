import { lineStarts, paragraphStarts, sentenceStarts, wordStarts } from "./prose-breaks.ts";
import type { Separator } from "./split-range.ts";

/**
 * Places to split prose, best first: a line break within a sentence does not end it, and a heading stays with its text.
 */
export const proseSeparators: readonly Separator[] = [
  paragraphStarts,
  sentenceStarts,
  lineStarts,
  "; ",
  ", ",
  "，",
  "、",
  " ",
  wordStarts,
];

/** Common to all source code, after the language's own. */
const lines = ["\n\n", "\r\n\r\n", "\n", " "];

const declarations = (...words: string[]) => [...words.map((word) => `\n${word} `), ...lines];
const blocks = ["if", "for", "while", "switch", "case"];

const cLike = declarations("class", "struct", "enum", "void", "int", "float", "double", "static", ...blocks);
const jsLike = declarations("export", "function", "const", "let", "var", "class", ...blocks, "default");
const jvmLike = declarations("class", "interface", "enum", "public", "protected", "private", "static", ...blocks);

const markdownSeparators: readonly Separator[] = [
  ...["\n# ", "\n## ", "\n### ", "\n#### ", "\n##### ", "\n###### "],
  ...["\n```", "\n~~~", "\n***\n", "\n---\n", "\n___\n"],
  ...proseSeparators,
];

const htmlTags = "body main article section div h1 h2 h3 h4 h5 h6 table ul ol p tr li td pre blockquote br".split(" ");

/** Places to split by language, best first. The names are those that existing clients send. */
export const languageSeparators = {
  c: cLike,
  cobol: [
    ...["\nIDENTIFICATION DIVISION.", "\nENVIRONMENT DIVISION.", "\nDATA DIVISION.", "\nPROCEDURE DIVISION."],
    ...["\nWORKING-STORAGE SECTION.", "\nLINKAGE SECTION.", "\nFILE SECTION.", "\nPERFORM ", "\nIF ", "\nEVALUATE "],
    ...lines,
  ],
  cpp: declarations("class", "namespace", "template", "struct", "void", "int", "float", "double", ...blocks),
  csharp: declarations("namespace", "interface", "enum", "class", "public", "protected", "private", ...blocks),
  elixir: declarations("defmodule", "def", "defp", "defmacro", "defprotocol", "if", "case", "cond", "with"),
  go: declarations("func", "type", "var", "const", ...blocks),
  haskell: declarations("module", "import", "class", "instance", "data", "newtype", "type", "where"),
  html: [...htmlTags.map((tag) => `<${tag}`), ...proseSeparators],
  java: jvmLike,
  js: jsLike,
  kotlin: declarations("class", "object", "interface", "enum", "fun", "val", "var", "when", ...blocks),
  latex: [
    ...["\n\\chapter{", "\n\\section{", "\n\\subsection{", "\n\\subsubsection{", "\n\\begin{", "\n\\item "],
    ...proseSeparators,
  ],
  lua: declarations("function", "local", "for", "while", "if", "repeat"),
  markdown: markdownSeparators,
  php: declarations("function", "class", "interface", "trait", "enum", "foreach", "do", ...blocks),
  powershell: declarations("function", "class", "param", "foreach", "try", ...blocks),
  proto: declarations("message", "service", "enum", "option", "import", "syntax"),
  python: ["\nclass ", "\ndef ", "\nasync def ", "\n\tdef ", "\n    def ", "\n    async def ", ...lines],
  rst: ["\n===", "\n---", "\n***", "\n.. ", ...proseSeparators],
  ruby: declarations("module", "class", "def", "if", "unless", "while", "for", "do", "begin", "rescue"),
  rust: declarations("mod", "pub", "impl", "trait", "struct", "enum", "fn", "const", "let", "if", "while", "loop"),
  scala: declarations("class", "object", "trait", "def", "val", "var", "match", ...blocks),
  sol: declarations("pragma", "contract", "interface", "library", "struct", "event", "function", "modifier", ...blocks),
  swift: declarations("func", "class", "struct", "protocol", "extension", "enum", ...blocks),
  ts: [...["\nexport ", "\nenum ", "\ninterface ", "\nnamespace ", "\ntype "], ...jsLike],
} as const satisfies Record<string, readonly Separator[]>;

export type SeparatorLanguage = keyof typeof languageSeparators;
export const separatorLanguages = Object.keys(languageSeparators) as SeparatorLanguage[];
