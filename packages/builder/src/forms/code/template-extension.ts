import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  startCompletion,
} from "@codemirror/autocomplete";
import { type Extension, StateEffect } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import { formStrings } from "../../strings.ts";
import type { TemplateVariable } from "./editor-props.ts";

type Variables = () => readonly TemplateVariable[] | undefined;

/** Sent when the variables available to templates have changed. */
export const variablesChanged = StateEffect.define<null>();

/** Marks references and unknown ones, and offers variables after two braces. */
export function templateExtension(variables: Variables): Extension {
  return [
    highlighter(variables),
    autocompletion({ override: [(context) => completeReference(context, variables())], icons: false }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged && update.transactions.some((one) => one.isUserEvent("input.type"))) offer(update.view);
    }),
  ];
}

/** The editor completes automatically only while words are typed, and braces are not words. */
function offer(view: EditorView): void {
  const { head } = view.state.selection.main;
  if (view.state.sliceDoc(Math.max(0, head - 2), head) === "{{") startCompletion(view);
}

function highlighter(variables: Variables): Extension {
  return ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;
      constructor(view: EditorView) {
        this.decorations = decorate(view, variables());
      }
      update(update: ViewUpdate) {
        const isAsked = update.transactions.some(({ effects }) =>
          effects.some((effect) => effect.is(variablesChanged)),
        );
        if (update.docChanged || isAsked) this.decorations = decorate(update.view, variables());
      }
    },
    { decorations: (plugin) => plugin.decorations },
  );
}

function decorate(view: EditorView, variables: readonly TemplateVariable[] | undefined): DecorationSet {
  const roots = variables && new Set(variables.map(({ path }) => path.split(".")[0]));
  const marks = templateReferences(view.state.doc.toString()).map(({ from, to, path, root }) => {
    // Every flow can be started by a webhook, and a step can update the state from its own output.
    const isKnown = roots === undefined || roots.has(root) || alwaysKnown.has(root);
    const attributes = isKnown ? {} : { title: formStrings.unknownVariable({ path }) };
    return Decoration.mark({ class: isKnown ? "cm-reference" : "cm-reference-unknown", attributes }).range(from, to);
  });
  return Decoration.set(marks, true);
}

const alwaysKnown = new Set(["$form", "$webhook", "$flow", "$vars", "$iteration", "output"]);

function completeReference(
  context: CompletionContext,
  variables: readonly TemplateVariable[] | undefined,
): CompletionResult | null {
  const line = context.state.doc.lineAt(context.pos);
  const open = openReference(line.text, context.pos - line.from);
  if (open === undefined || variables === undefined) return null;
  const from = line.from + open.from;
  return { from: from + 2, options: variables.map((variable) => toCompletion(variable, from)), filter: true };
}

function toCompletion({ path, title }: TemplateVariable, opened: number): Completion {
  return {
    label: path,
    detail: title,
    apply(view, _completion, _from, to) {
      const rest = view.state.sliceDoc(to, to + 3);
      const end = to + (/^\s?\}\}/.exec(rest)?.[0].length ?? 0);
      const insert = `{{ ${path} }}`;
      view.dispatch({ changes: { from: opened, to: end, insert }, selection: { anchor: opened + insert.length } });
    },
  };
}

/** One `{{ … }}` in a text. `path` is the text between the braces; `root` is its first name. */
type TemplateReference = { from: number; to: number; path: string; root: string };

/** One quantifier, so that a text of any length is read in linear time. */
const pattern = /\{\{([^{}]*)\}\}/g;
const pathPattern = /^[$\p{L}_][^\s[\].]*(\.[^\s[\].]+|\[\d+\])*$/u;

/** The references in a text, in order. Braces around anything that is not a path are plain text. */
export function templateReferences(text: string): TemplateReference[] {
  return Array.from(text.matchAll(pattern)).flatMap((match) => {
    const path = (match[1] ?? "").trim();
    if (!pathPattern.test(path)) return [];
    return [{ from: match.index, to: match.index + match[0].length, path, root: path.split(/[.[]/)[0] ?? path }];
  });
}

/** The unfinished reference in braces at a position of a text; undefined if there is none. */
export function openReference(text: string, at: number): { from: number; typed: string } | undefined {
  const before = text.slice(0, at);
  const opened = before.lastIndexOf("{{");
  if (opened === -1 || before.indexOf("}}", opened) !== -1) return undefined;
  const typed = before.slice(opened + 2);
  return /^[\s\w.$[\]-]*$/u.test(typed) ? { from: opened, typed: typed.trimStart() } : undefined;
}
