import { type Json, type JsonObject, parseJson, type Tool, toJsonObject } from "@weft/schema";
import {
  jsonSchemaFormat,
  objectSchema,
  type SchemaProperty,
  toolParametersFormat,
} from "../../forms/schema-editor/formats.ts";

/** A tool being edited, with its parameters parsed. */
export type ToolDraft = {
  name: string;
  description: string;
  color: string;
  iconSrc: string | null;
  parameters: Json | undefined;
  func: string;
};

type Stored = Pick<Tool, "name" | "description" | "color" | "iconSrc" | "schema" | "func">;

export const newDraft: ToolDraft = {
  name: "",
  description: "",
  color: "#5b5bd6",
  iconSrc: null,
  parameters: undefined,
  func: "",
};

export function toDraft({ name, description, color, iconSrc, schema, func }: Stored): ToolDraft {
  return { name, description, color, iconSrc, parameters: parsed(schema), func: func ?? "" };
}

/** The request body for the API. */
export function fromDraft({ parameters, ...draft }: ToolDraft) {
  return { ...draft, schema: toSchemaText(parameters) };
}

export function toSchemaText(parameters: Json | undefined): string {
  return parameters === undefined ? "" : JSON.stringify(parameters);
}

/** The parameters as rows show them; undefined where only JSON can. */
export function parametersOf(parameters: Json | undefined): readonly SchemaProperty[] | undefined {
  return toolParametersFormat.read(parameters);
}

/** JSON Schema of the arguments of a trial, which its form is drawn from. */
export function toTrialSchema(parameters: Json | undefined): object {
  const rows = parametersOf(parameters);
  if (rows !== undefined) return withNames(objectSchema(rows));
  return typeof parameters === "object" && parameters !== null ? parameters : (jsonSchemaFormat.write([]) as object);
}

/** The code refers to its arguments by name, and so does the form. */
function withNames({ properties, ...schema }: JsonObject): object {
  const named = Object.entries(toJsonObject(properties)).map(([name, property]) => [
    name,
    { ...toJsonObject(property), title: name, help: toJsonObject(property).description },
  ]);
  return { ...schema, properties: Object.fromEntries(named) };
}

function parsed(schema: string | null): Json | undefined {
  return parseJson(schema ?? "");
}
