import type { Json } from "./json.ts";
import type { ReferenceHints } from "./reference-hints.ts";

/**
 * How a field is edited. The first group follows from a field's schema where it names none; the others are for values
 * of which the schema alone says too little.
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
 * What `.meta()` may say about a field of a config, besides its `title`. It travels in the JSON Schema of the config, so
 * that a form needs nothing else. Source: docs/decisions/0038-form-hints.md.
 */
/** Pictures of steps. The builder draws each; a step without one has its group's. */
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
  /** Texts to begin with, each under what it is for. */
  samples?: readonly { title: string; text: string }[];
  widget?: WidgetName;
  /** Folded away with the other fields that few people need. */
  advanced?: boolean;
  /** Where it stands beside the other settings of a step. On the fields of a step's config alone. Default: set-up. */
  section?: "tools" | "output";
  /** Kept, and never shown. */
  hidden?: boolean;
  /** Whether `{{ … }}` may stand in the text. On a text alone: of a list, its items have it. */
  template?: boolean;
  /** What the values of an enum are called. */
  labels?: Readonly<Record<string, string>>;
  /** Values of an enum that need a setting of the operator, by its name: forms offer them only where it is set. */
  needs?: Readonly<Record<string, string>>;
  /** What one entry of a list is called, in lower case: "message" makes "Add message". */
  item?: string;
  /** Shown only while another field of the same object has one of these values; null: none. What is hidden keeps its value. */
  showWhen?: { field: string; is: readonly Json[] };
  /** What the entries' names, or the object's keys, become in later steps' templates: `$form.name`, `<node>.output.name`. */
  provides?: "$form" | "$flow.state" | "output";
};

declare module "zod" {
  // Only an interface can be added to: a widget that does not exist is an error of types then.
  interface GlobalMeta extends FormHints, ReferenceHints {}
}
