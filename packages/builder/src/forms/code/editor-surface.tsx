import { autocompletion, type CompletionContext } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentSelection } from "@codemirror/commands";
import { javascript, javascriptLanguage } from "@codemirror/lang-javascript";
import { json, jsonParseLinter } from "@codemirror/lang-json";
import { bracketMatching, defaultHighlightStyle, HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { linter } from "@codemirror/lint";
import { Annotation, Compartment, EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, keymap, lineNumbers, placeholder } from "@codemirror/view";
import { useEffect, useRef } from "react";
import type { Completion, EditorHandle, EditorProps } from "./editor-props.ts";
import { templateExtension, variablesChanged } from "./template-extension.ts";

/** CodeMirror as a component. Loaded when it is first needed: see `CodeEditor`. */
export function EditorSurface(props: EditorProps) {
  const parent = useRef<HTMLDivElement>(null);
  const editor = useRef<MountedEditor | undefined>(undefined);
  const latest = useRef(props);
  latest.current = props;
  const { language, isSingleLine = false, handle } = props;

  // biome-ignore lint/correctness/useExhaustiveDependencies: another language is another editor; the rest is updated below.
  useEffect(() => {
    if (parent.current === null) return;
    const mounted = mountEditor(parent.current, () => latest.current);
    editor.current = mounted;
    if (handle) handle.current = mounted;
    return () => {
      editor.current = undefined;
      if (handle) handle.current = null;
      mounted.destroy();
    };
  }, [language, isSingleLine, handle]);

  const { value, variables, isInvalid, isDisabled, describedBy, label } = props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of them is a reason to draw the editor again.
  useEffect(
    () => editor.current?.update(latest.current),
    [value, variables, isInvalid, isDisabled, describedBy, label],
  );

  return <div ref={parent} style={{ height: "100%" }} />;
}

type MountedEditor = EditorHandle & {
  /** Applies another text and other attributes, without reporting a change. */
  update(props: EditorProps): void;
  destroy(): void;
};

const fromOutside = Annotation.define<true>();

/** Mounts an editor in an element. `latest` returns the current properties; those of the language must not change. */
function mountEditor(parent: HTMLElement, latest: () => EditorProps): MountedEditor {
  const attributes = new Compartment();
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: latest().value,
      extensions: [
        history(),
        drawSelection(),
        lineExtension(latest()),
        languageExtension(latest),
        attributes.of(attributesOf(latest())),
        keymap.of([...defaultKeymap, ...historyKeymap]),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged || update.transactions.some((one) => one.annotation(fromOutside))) return;
          latest().onChange(update.state.doc.toString());
        }),
        editorTheme,
      ],
    }),
  });
  return {
    update(props) {
      const changes =
        view.state.doc.toString() === props.value
          ? undefined
          : { from: 0, to: view.state.doc.length, insert: props.value };
      view.dispatch({
        ...(changes === undefined ? {} : { changes }),
        annotations: fromOutside.of(true),
        effects: [attributes.reconfigure(attributesOf(props)), variablesChanged.of(null)],
      });
    },
    insert(text) {
      view.dispatch(view.state.replaceSelection(text));
      view.focus();
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}

function lineExtension({ isSingleLine }: EditorProps): Extension {
  if (!isSingleLine) return EditorView.lineWrapping;
  return EditorState.transactionFilter.of((transaction) => {
    if (!transaction.docChanged || transaction.newDoc.lines === 1) return transaction;
    // Ignores Enter; pasted text loses its line breaks.
    if (transaction.isUserEvent("input.type") || !transaction.isUserEvent("input")) return [];
    const insert = transaction.newDoc.toString().replaceAll(/\s*\n\s*/g, " ");
    const changes = { from: 0, to: transaction.startState.doc.length, insert };
    return [{ changes, selection: { anchor: insert.length }, userEvent: "input.type" }];
  });
}

function attributesOf(props: EditorProps): Extension {
  const { label, labelledBy, describedBy, isInvalid, isDisabled } = props;
  const attributes: Record<string, string> = {
    ...(label === undefined ? {} : { "aria-label": label }),
    ...(labelledBy === undefined ? {} : { "aria-labelledby": labelledBy }),
    ...(describedBy === undefined ? {} : { "aria-describedby": describedBy }),
    ...(isInvalid ? { "aria-invalid": "true" } : {}),
    ...(isDisabled ? { "aria-disabled": "true", tabindex: "0" } : {}),
    ...(props.isSingleLine ? { "aria-multiline": "false" } : {}),
    spellcheck: "false",
  };
  return [
    EditorView.contentAttributes.of(attributes),
    EditorView.editable.of(!isDisabled),
    EditorState.readOnly.of(isDisabled === true),
    props.placeholder === undefined ? [] : placeholder(props.placeholder),
  ];
}

/** The editor inside the frame styled by its CSS module: colours of the application, in both schemes. */
const editorTheme = EditorView.theme({
  "&": { backgroundColor: "transparent", color: "var(--mantine-color-text)", fontSize: "13px", height: "100%" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": {
    fontFamily: "var(--editor-font)",
    lineHeight: "20px",
    overflow: "auto",
    minHeight: "var(--editor-min)",
    maxHeight: "var(--editor-max)",
  },
  ".cm-content": { padding: "var(--editor-padding) 0", caretColor: "var(--mantine-color-text)" },
  ".cm-line": { padding: "0 10px" },
  ".cm-placeholder": { color: "var(--mantine-color-placeholder)" },
  ".cm-cursor": { borderLeftColor: "var(--mantine-color-text)" },
  ".cm-gutters": {
    backgroundColor: "transparent",
    color: "var(--mantine-color-dimmed)",
    border: "none",
    fontSize: "12px",
  },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "color-mix(in srgb, var(--mantine-color-iris-5) 30%, transparent) !important",
  },
  ".cm-matchingBracket": {
    backgroundColor: "var(--weft-selected) !important",
    outline: "1px solid var(--weft-border-strong)",
  },
  ".cm-reference": {
    borderRadius: "4px",
    backgroundColor: "var(--weft-selected)",
    color: "var(--weft-selected-text)",
    padding: "1px 2px",
    fontFamily: "var(--mantine-font-family-monospace)",
    fontSize: "12px",
  },
  ".cm-reference-unknown": {
    borderRadius: "4px",
    color: "var(--mantine-color-error)",
    textDecoration: "underline wavy",
    textUnderlineOffset: "3px",
    fontFamily: "var(--mantine-font-family-monospace)",
    fontSize: "12px",
  },
  ".cm-tooltip": {
    border: "1px solid var(--weft-border)",
    borderRadius: "8px",
    backgroundColor: "var(--weft-surface)",
    boxShadow: "var(--mantine-shadow-md)",
    overflow: "hidden",
    zIndex: "400",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mantine-font-family)", maxHeight: "240px" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "5px 10px" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    backgroundColor: "var(--weft-selected)",
    color: "var(--weft-selected-text)",
  },
  ".cm-completionLabel": { fontFamily: "var(--mantine-font-family-monospace)", fontSize: "12px" },
  ".cm-completionDetail": { color: "var(--mantine-color-dimmed)", fontStyle: "normal", marginLeft: "12px" },
  ".cm-tooltip-lint .cm-diagnostic": { borderLeftColor: "var(--mantine-color-error)" },
});

/** The library's own syntax highlighting, in colours that are readable in both schemes. */
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

/** Language support of an editor. */
function languageExtension(latest: () => EditorProps): Extension {
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
  // Tab moves to the next field, as elsewhere in a form.
  keymap.of([{ key: "Mod-Alt-\\", run: indentSelection }]),
];

const parseJson = jsonParseLinter();
/** An empty text is not an error. */
const parseProblems: typeof parseJson = (view) => (view.state.doc.toString().trim() === "" ? [] : parseJson(view));

function completeNames(latest: () => EditorProps) {
  return (context: CompletionContext) => {
    const word = context.matchBefore(/\$?[\w$.]*/);
    if (word === null || (word.from === word.to && !context.explicit)) return null;
    const options = (latest().completions ?? []).map(({ label, detail }: Completion) => ({ label, detail }));
    return { from: word.from, options, validFor: /^\$?[\w$.]*$/ };
  };
}
