import type { JsonObject } from "@weft/schema";
import type { ReactNode } from "react";
import type { TemplateVariable } from "../template/template-variable.ts";

/** What the fields of a form can choose from besides what the API lists. */
export type FormContext = {
  /** What templates can refer to: see `templateVariables`. Absent: references are neither offered nor checked. */
  variables?: readonly TemplateVariable[];
  /** The steps that a field can name, such as the target of a loop. */
  nodes?: readonly { id: string; label: string }[];
  /** Stands below the settings of a tool: how to try out what it sends. */
  renderTrial?: (type: string, config: JsonObject) => ReactNode;
};
