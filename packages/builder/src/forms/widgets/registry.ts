import type { WidgetName } from "@weft/schema";
import type { Widget } from "../form/form-scope.ts";
import { CredentialWidget } from "../pickers/credential-widget.tsx";
import { ModelProviderWidget, ModelWidget } from "../pickers/model-widgets.tsx";
import {
  AgentWidget,
  CustomToolsWidget,
  CustomToolWidget,
  DocumentStoreWidget,
  NodeWidget,
} from "../pickers/resource-widgets.tsx";
import { JavascriptWidget, JsonWidget } from "./code-widgets.tsx";
import { ConditionsWidget } from "./conditions-widget.tsx";
import { FileWidget } from "./file-widget.tsx";
import { KeyValueWidget } from "./key-value-widget.tsx";
import { MessagesWidget } from "./messages-widget.tsx";
import { ModelSettingsWidget } from "./model-settings-widget.tsx";
import { GroupWidget, ListWidget, VariantsWidget } from "./nested-widgets.tsx";
import { BooleanWidget, Nothing, NumberWidget, SelectWidget, TextareaWidget, TextWidget } from "./plain-widgets.tsx";
import { RowsWidget } from "./rows-widget.tsx";
import { CronWidget, TimeZoneWidget } from "./schedule-widgets.tsx";
import { ParametersWidget, StructuredOutputWidget } from "./schema-widgets.tsx";
import { ToolsWidget, ToolWidget } from "./tools-widgets.tsx";

/** How each kind of field is edited. A node type never appears here: it says in its schema which of these it wants. */
export const widgets = {
  text: { component: TextWidget, frame: "label" },
  textarea: { component: TextareaWidget, frame: "label" },
  number: { component: NumberWidget, frame: "label" },
  boolean: { component: BooleanWidget, frame: "own" },
  select: { component: SelectWidget, frame: "label" },
  json: { component: JsonWidget, frame: "label" },
  javascript: { component: JavascriptWidget, frame: "label" },
  file: { component: FileWidget, frame: "label" },
  cron: { component: CronWidget, frame: "label" },
  "time-zone": { component: TimeZoneWidget, frame: "label" },
  list: { component: ListWidget, frame: "label" },
  rows: { component: RowsWidget, frame: "group" },
  "key-value": { component: KeyValueWidget, frame: "group" },
  group: { component: GroupWidget, frame: "group" },
  variants: { component: VariantsWidget, frame: "group" },
  messages: { component: MessagesWidget, frame: "group" },
  conditions: { component: ConditionsWidget, frame: "group" },
  "structured-output": { component: StructuredOutputWidget, frame: "group" },
  parameters: { component: ParametersWidget, frame: "group" },
  "model-settings": { component: ModelSettingsWidget, frame: "group" },
  "model-provider": { component: ModelProviderWidget, frame: "label" },
  model: { component: ModelWidget, frame: "label" },
  credential: { component: CredentialWidget, frame: "label" },
  agent: { component: AgentWidget, frame: "label" },
  "document-store": { component: DocumentStoreWidget, frame: "label" },
  tool: { component: ToolWidget, frame: "group" },
  tools: { component: ToolsWidget, frame: "group" },
  "custom-tool": { component: CustomToolWidget, frame: "label" },
  "custom-tools": { component: CustomToolsWidget, frame: "label" },
  node: { component: NodeWidget, frame: "label" },
  "port-id": { component: Nothing, frame: "none" },
} satisfies Record<WidgetName, Widget>;
