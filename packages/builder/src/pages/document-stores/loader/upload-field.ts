import type { JsonObject } from "@weft/schema";

type Property = { type?: string; widget?: string; title?: string; help?: string };
type FormSchema = { properties?: Record<string, Property>; required?: string[] };

/** The form of a loader without its files, which are no value to type in: they are uploaded. */
export type LoaderForm = {
  /** Property of the settings that names the files; undefined: it takes none. */
  uploadName: string | undefined;
  schema: JsonObject;
};

/** Takes the list of files out of a loader's schema, wherever the schema says that there is one. */
export function toLoaderForm(schema: JsonObject): LoaderForm {
  const { properties = {}, required = [] } = schema as FormSchema;
  const uploadName = Object.entries(properties).find(
    ([, { type, widget }]) => type === "array" && widget === "file",
  )?.[0];
  if (uploadName === undefined) return { uploadName, schema };
  const { [uploadName]: _, ...rest } = properties;
  return {
    uploadName,
    schema: { ...schema, properties: rest, required: required.filter((name) => name !== uploadName) },
  };
}
