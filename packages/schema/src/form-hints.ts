import type { Json } from "./json.ts";
import type { ReferenceHints } from "./reference-hints.ts";

/**
 * How a field is edited. The first group is inferred from the schema if no widget is named; the others are for values
 * whose schema says too little.
 */
export type WidgetName =
  | "text"
  | "number"
  | "boolean"
  | "select"
  | "json"
  | "list"
  | "rows"
  | "key-value"
  | "group"
  | "variants"
  | "textarea"
  | "javascript"
  | "file"
  | "cron"
  | "time-zone"
  | "messages"
  | "conditions"
  | "structured-output"
  | "parameters"
  | "model-settings"
  | "model-provider"
  | "model"
  | "credential"
  | "agent"
  | "document-store"
  | "tool"
  | "tools"
  | "custom-tool"
  | "custom-tools"
  | "node"
  | "port-id";

/**
 * Hints that `.meta()` may give for a config field, besides its `title`. They travel in the config's JSON Schema, so a
 * form needs nothing else. Source: docs/decisions/0038-form-hints.md.
 */
/** Icons of steps, drawn by the builder; a step without one has its group's. */
export type IconName =
  | "book"
  | "bot"
  | "clock"
  | "code"
  | "database"
  | "globe"
  | "loop"
  | "message"
  | "note"
  | "person"
  | "play"
  | "repeat"
  | "search"
  | "signpost"
  | "sparkles"
  | "split"
  | "workflow"
  | "wrench";

export type FormHints = {
  /** One or two sentences below the title. */
  help?: string;
  /** Shown in an empty field. */
  placeholder?: string;
  /** Texts to start with, each under its purpose. */
  samples?: readonly { title: string; text: string }[];
  widget?: WidgetName;
  /** Collapsed with the other rarely needed fields. */
  advanced?: boolean;
  /** Collapsed with the other fields of this heading. Wins over `advanced`. */
  fold?: string;
  /** Section of the step's settings. For fields of a step's config only. Default: set-up. */
  section?: "output";
  /** Stored, but never shown. */
  hidden?: boolean;
  /** What a new entry, or a new tool, has here, although the field may be left out. Stored ones without it keep their meaning. */
  initial?: Json;
  /** The text may contain `{{ … }}`. For texts only: for a list, set it on the items. */
  template?: boolean;
  /** Labels of an enum's values. */
  labels?: Readonly<Record<string, string>>;
  /** Enum values that need an operator setting, by its name: forms offer them only if it is set. */
  needs?: Readonly<Record<string, string>>;
  /** Name of one list entry, in lower case: "message" makes "Add message". */
  item?: string;
  /**
   * Shown only while another field of the same object has one of these values; null: none. A hidden field keeps its
   * value.
   */
  showWhen?: { field: string; is: readonly Json[] };
  /**
   * Templates of later steps that the entries' names, or the object's keys, add: `$form.name`, `<node>.output.name`.
   */
  provides?: "$form" | "$flow.state" | "output";
};

declare module "zod" {
  // Only an interface can be augmented: a misspelt widget is then a type error.
  interface GlobalMeta extends FormHints, ReferenceHints {}
}
