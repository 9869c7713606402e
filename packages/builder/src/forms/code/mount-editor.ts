import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { Annotation, Compartment, EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, keymap, placeholder } from "@codemirror/view";
import type { EditorHandle, EditorProps } from "./editor-props.ts";
import { editorTheme } from "./editor-theme.ts";
import { languageExtension } from "./language-extension.ts";
import { variablesChanged } from "./template-extension.ts";

export type MountedEditor = EditorHandle & {
  /** Shows another text and other attributes; what was typed is told to nobody. */
  update(props: EditorProps): void;
  destroy(): void;
};

const fromOutside = Annotation.define<true>();

/** Puts an editor into an element. `latest` gives the present properties; those of the language must not change. */
export function mountEditor(parent: HTMLElement, latest: () => EditorProps): MountedEditor {
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
    // A single keypress of Enter is no text; what is pasted loses its line breaks.
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
