import { autocompletion, type CompletionContext } from "@codemirror/autocomplete";
import { indentSelection } from "@codemirror/commands";
import { javascript, javascriptLanguage } from "@codemirror/lang-javascript";
import { json, jsonParseLinter } from "@codemirror/lang-json";
import { bracketMatching, defaultHighlightStyle, HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { linter } from "@codemirror/lint";
import type { Extension } from "@codemirror/state";
import { keymap, lineNumbers } from "@codemirror/view";
import type { Completion, EditorProps } from "./editor-props.ts";
import { templateExtension } from "./template-extension.ts";

/** The library's own marks of code, in colours that are readable in both schemes. */
const inks: Readonly<Record<string, string>> = {
  "#708": "keyword",
  "#219": "literal",
  "#164": "literal",
  "#a11": "string",
  "#e40": "string",
  "#00f": "name",
  "#30a": "name",
  "#085": "type",
  "#167": "type",
  "#256": "name",
  "#00c": "property",
  "#940": "comment",
  "#404740": "comment",
};
const highlightStyle = HighlightStyle.define(
  defaultHighlightStyle.specs.map(({ color, ...spec }) => {
    const ink = typeof color === "string" ? inks[color] : undefined;
    return ink === undefined ? spec : { ...spec, color: `var(--code-${ink})` };
  }),
);

/** What an editor knows of its language. */
export function languageExtension(latest: () => EditorProps): Extension {
  const { language } = latest();
  switch (language) {
    case "template":
      return templateExtension(() => latest().variables);
    case "javascript":
      return [
        javascript(),
        codeExtension,
        javascriptLanguage.data.of({ autocomplete: completeNames(latest) }),
        autocompletion(),
      ];
    case "json":
      return [json(), codeExtension, linter(parseProblems)];
    case "text":
      return [];
  }
}

const codeExtension: Extension = [
  lineNumbers(),
  bracketMatching(),
  syntaxHighlighting(highlightStyle),
  // Tab moves on to the next field, as everywhere else in a form.
  keymap.of([{ key: "Mod-Alt-\\", run: indentSelection }]),
];

const parseJson = jsonParseLinter();
/** An empty text is nothing yet, and no mistake. */
const parseProblems: typeof parseJson = (view) => (view.state.doc.toString().trim() === "" ? [] : parseJson(view));

function completeNames(latest: () => EditorProps) {
  return (context: CompletionContext) => {
    const word = context.matchBefore(/\$?[\w$.]*/);
    if (word === null || (word.from === word.to && !context.explicit)) return null;
    const options = (latest().completions ?? []).map(({ label, detail }: Completion) => ({ label, detail }));
    return { from: word.from, options, validFor: /^\$?[\w$.]*$/ };
  };
}
