import type { JsonObject } from "@weft/schema";
import { z } from "zod";

/** Turns zod schemas into JSON Schema; those with an id become shared components. */
export type ComponentSchemas = {
  /** What a client sends. */
  input(schema: z.ZodType): JsonObject;
  /** What a client receives. */
  output(schema: z.ZodType): JsonObject;
  /** The fields of an object that a client sends as parameters. */
  fields(schema: z.ZodType): { properties: Record<string, JsonObject>; required: string[] };
  /** The components so far, sorted by name. Throws when a name stands for two different schemas. */
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

  /** Inside a wrapper the schema itself is extracted too when it has an id. */
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
 * Answers may gain fields: only schemas that say so themselves are closed. Examples are of what clients send and
 * receive; without this they are left out where a schema transforms what it is given.
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
