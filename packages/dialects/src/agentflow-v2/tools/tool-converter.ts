import type { JsonObject } from "@weft/schema";
import type { Report } from "../node-converter.ts";
import type { Settings } from "../settings.ts";

/** A tool component: its settings and what may be said about them. */
export type ToolScope = {
  /** Name of the component, such as `requestsGet`. */
  name: string;
  settings: Settings;
  report: Report;
};

/** One integration as a native agent lists it. */
export type ConvertedTool = { type: string; config: JsonObject };

/** Undefined when the tool cannot be used; the report says why. */
export type ToolConverter = (scope: ToolScope) => ConvertedTool | undefined;
