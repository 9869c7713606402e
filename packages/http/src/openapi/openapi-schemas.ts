import type { JsonObject } from "@weft/schema";
import { z } from "zod";

/** Converts zod schemas to JSON Schema; those with an id become shared components. */
export type ComponentSchemas = {
  /** As a client sends it. */
  input(schema: z.ZodType): JsonObject;
  /** As a client receives it. */
  output(schema: z.ZodType): JsonObject;
  /** The fields of an object that a client sends as parameters. */
  fields(schema: z.ZodType): { properties: Record<string, JsonObject>; required: string[] };
  /** The components so far, sorted by name. Throws if a name stands for two different schemas. */
  all(): Record<string, JsonObject>;
};

type Direction = "input" | "output";
type Converted = JsonObject & { properties?: Record<string, JsonObject>; required?: string[] };

export function createComponentSchemas(): ComponentSchemas {
  const components = new Map<string, JsonObject>();

  function convert(schema: z.ZodType, io: Direction): Converted {
    const {
      $defs,
      $schema: _,
      ...converted
    } = z.toJSONSchema(schema, { io, unrepresentable: "any", override: complete });
    for (const [name, definition] of Object.entries(withComponentRefs($defs ?? {}) as Record<string, JsonObject>)) {
      add(components, name, definition);
    }
    return withComponentRefs(converted) as Converted;
  }

  /** Inside a wrapper, a schema with an id is extracted too. */
  function convertNamed(schema: z.ZodType, io: Direction): JsonObject {
    return convert(z.object({ value: schema }), io).properties?.value ?? {};
  }

  return {
    input: (schema) => convertNamed(schema, "input"),
    output: (schema) => convertNamed(schema, "output"),
    fields(schema) {
      const { properties = {}, required = [] } = convert(schema, "input");
      return { properties, required };
    },
    all: () => Object.fromEntries([...components].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/**
 * Answers may gain fields: only schemas that declare it are closed. Examples show what clients send and receive;
 * without this step they would be missing where a schema transforms its input.
 */
function complete({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodTypes;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}) {
  const { examples } = z.globalRegistry.get(zodSchema) ?? {};
  if (Array.isArray(examples)) jsonSchema.examples = examples;
  const isOpen = zodSchema._zod.def.type === "object" && zodSchema._zod.def.catchall === undefined;
  if (isOpen && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
}

function add(components: Map<string, JsonObject>, name: string, { id: _, ...definition }: JsonObject): void {
  const known = components.get(name);
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(definition)) {
    throw new Error(`The schema ${name} has two shapes: give what clients send and what they receive different ids.`);
  }
  components.set(name, definition);
}

function withComponentRefs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withComponentRefs);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === "$ref" && typeof item === "string"
        ? item.replace("#/$defs/", "#/components/schemas/")
        : withComponentRefs(item),
    ]),
  );
}
