import type { WidgetName } from "@weft/schema";
import type { Widget } from "../form/form-scope.ts";
import { codeWidgets } from "./code-widgets.tsx";
import { credentialWidgets } from "./credential-widget.tsx";
import { listWidgets } from "./list-widgets.tsx";
import { nestedWidgets } from "./nested-widgets.tsx";
import { plainWidgets } from "./plain-widgets.tsx";
import { resourceWidgets } from "./resource-widgets.tsx";
import { toolWidgets } from "./tools-widgets.tsx";

/** How each kind of field is edited. A node type never appears here: it says in its schema which of these it wants. */
export const widgets = {
  ...plainWidgets,
  ...codeWidgets,
  ...listWidgets,
  ...nestedWidgets,
  ...resourceWidgets,
  ...toolWidgets,
  ...credentialWidgets,
} satisfies Record<WidgetName, Widget>;
