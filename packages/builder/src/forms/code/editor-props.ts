import type { RefObject } from "react";

type EditorLanguage = "template" | "javascript" | "json" | "text";

/** A completion of the code editor. */
export type Completion = { label: string; detail: string };

/** Actions that other parts of a page perform on an editor. */
export type EditorHandle = {
  /** Inserts text at the cursor and moves behind it. */
  insert(text: string): void;
  focus(): void;
};

export type EditorProps = {
  value: string;
  onChange(text: string): void;
  language: EditorLanguage;
  /** Its name for assistive technology: the text, or the id of the element that holds it. */
  label?: string;
  labelledBy?: string;
  describedBy?: string | undefined;
  placeholder?: string | undefined;
  isSingleLine?: boolean;
  isInvalid?: boolean;
  isDisabled?: boolean;
  /** Minimum visible lines. Default 3; 1 for a single line. */
  minLines?: number;
  /** Lines after which it scrolls. Default 16. */
  maxLines?: number;
  /** Variables for templates; other references are marked as unknown. Absent: nothing is marked. */
  variables?: readonly TemplateVariable[] | undefined;
  completions?: readonly Completion[];
  handle?: RefObject<EditorHandle | null>;
};

/** A value that a template can refer to at some step of a flow. */
export type TemplateVariable = {
  /** The text between the braces: `question`, `$form.city`, `agent_0.output.title`. */
  path: string;
  /** A short description. */
  title: string;
  /** The heading that it is offered under. */
  group: string;
  /** Its value in the last run, as text; undefined if there was none. */
  sample?(): string | undefined;
};
