import type { Json, JsonObject, WidgetName } from "@weft/schema";
import { type ComponentType, createContext, type ReactNode, useContext } from "react";
import type { Field } from "../fields/field.ts";
import type { ProblemIndex } from "../fields/problem-index.ts";
import type { TemplateVariable } from "../template/template-variable.ts";

/** What a widget is given. */
export type WidgetProps = {
  field: Field;
  value: Json | undefined;
  /** Undefined: the field is not set. */
  onChange(value: Json | undefined): void;
  /** Where it lies in the value of the whole form, dotted. */
  path: string;
  /** The object that the field belongs to. */
  siblings: JsonObject;
  /** Of the control; the frame's label is for it. */
  id: string;
  /** Of the frame's label. */
  labelId: string;
  /** Of what the frame says about the field: its help, or what is wrong with it. */
  describedBy?: string | undefined;
  isInvalid: boolean;
  isDisabled: boolean;
  /** Says its name to assistive technology alone, as in a table's cell. */
  label?: string;
};

export type Widget = {
  component: ComponentType<WidgetProps>;
  /**
   * `label`: a label for one control. `group`: a heading over several. `own`: the widget says its name itself.
   * `none`: nothing is shown at all.
   */
  frame: "label" | "group" | "own" | "none";
};

/** Whatever is the same for every field of a form. */
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

/** What the fields of a form can choose from besides what the API lists. */
export type FormContext = {
  /** What templates can refer to: see `templateVariables`. Absent: references are neither offered nor checked. */
  variables?: readonly TemplateVariable[];
  /** The steps that a field can name, such as the target of a loop. */
  nodes?: readonly { id: string; label: string }[];
  /** Stands below the settings of a tool: how to try out what it sends. */
  renderTrial?: (type: string, config: JsonObject) => ReactNode;
};
