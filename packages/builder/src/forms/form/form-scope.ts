import type { Json, JsonObject, WidgetName } from "@weft/schema";
import { type ComponentType, createContext, type ReactNode, useContext } from "react";
import type { TemplateVariable } from "../code/editor-props.ts";
import type { ProblemIndex } from "../fields/field-problems.ts";
import type { Field } from "../fields/to-field.ts";

export type WidgetProps = {
  field: Field;
  value: Json | undefined;
  /** Undefined: the field is unset. */
  onChange(value: Json | undefined): void;
  /** The path in the value of the whole form, dotted. */
  path: string;
  /** The object that the field belongs to. */
  siblings: JsonObject;
  /** Id of the control, for the frame's label. */
  id: string;
  /** Id of the frame's label. */
  labelId: string;
  /** Id of the frame's help or error text. */
  describedBy?: string | undefined;
  isInvalid: boolean;
  isDisabled: boolean;
  /** Its name for assistive technology only, as in a table's cell. */
  label?: string;
};

export type Widget = {
  component: ComponentType<WidgetProps>;
  /**
   * `label`: a label for one control. `group`: a heading over several. `own`: the widget shows its own name. `none`:
   * nothing is shown.
   */
  frame: "label" | "group" | "own" | "none";
};

/** Data shared by all fields of a form. */
export type FormScope = {
  widgets: Readonly<Record<WidgetName, Widget>>;
  context: FormContext;
  problems: ProblemIndex;
  isDisabled: boolean;
};

export const FormScopeContext = createContext<FormScope | undefined>(undefined);

export function useFormScope(): FormScope {
  const scope = useContext(FormScopeContext);
  if (scope === undefined) throw new Error("A field stands in a ConfigForm only.");
  return scope;
}

/** Choices for the fields of a form besides those from the API. */
export type FormContext = {
  /** The agent that is edited: it is not offered as a tool of its own. */
  agentId?: string | undefined;
  /** Variables for templates: see `templateVariables`. Absent: references are neither offered nor checked. */
  variables?: readonly TemplateVariable[];
  /** The steps that a field can name, such as the target of a loop. */
  nodes?: readonly { id: string; label: string }[];
  /** Whether an empty required field shows its error. In new forms, only after the field was left. Default: always. */
  isAsked?: (path: string) => boolean;
  /** A field was left. */
  onLeft?: (path: string) => void;
  /** Whether the fields behind a model's line are open from the start. */
  opensModel?: boolean;
  /** Rendered below the settings of a tool: tries out its request. */
  renderTrial?: (type: string, config: JsonObject) => ReactNode;
};
