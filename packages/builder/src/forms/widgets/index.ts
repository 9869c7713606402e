import type { WidgetName } from "@weft/schema";
import type { Widget } from "../form/form-scope.ts";
import { codeWidgets } from "./code-widgets.tsx";
import { credentialWidgets } from "./credential-widget.tsx";
import { listWidgets } from "./list-widgets.tsx";
import { nestedWidgets } from "./nested-widgets.tsx";
import { plainWidgets } from "./plain-widgets.tsx";
import { resourceWidgets } from "./resource-widgets.tsx";
import { scheduleWidgets } from "./schedule-widgets.tsx";
import { toolWidgets } from "./tools-widgets.tsx";

/** The widget of each kind of field. Never mentions a node type: schemas name their widgets. */
export const widgets = {
  ...plainWidgets,
  ...codeWidgets,
  ...listWidgets,
  ...nestedWidgets,
  ...resourceWidgets,
  ...scheduleWidgets,
  ...toolWidgets,
  ...credentialWidgets,
} satisfies Record<WidgetName, Widget>;
