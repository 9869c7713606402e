import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseZodText } from "./zod-text.ts";

describe("parseZodText", () => {
  it("reads objects with their limits and comments", () => {
    const source = `z.object({
      title: z.string().max(80), // Title of the film
      year: z.number().int().min(1900),
      genres: z.enum(["Drama", "Crime"]).array().max(2).describe("At most two"), // not this
      seen: z.boolean().optional(),
      "first name": z.string().nullable(),
      cast: z.array(z.object({ name: z.string() })).length(3)
      // Who plays
    });`;
    assert.deepEqual(parseZodText(source), {
      type: "object",
      properties: {
        title: { type: "string", maxLength: 80, description: "Title of the film" },
        year: { type: "integer", minimum: 1900 },
        genres: {
          type: "array",
          items: { type: "string", enum: ["Drama", "Crime"] },
          maxItems: 2,
          description: "At most two",
        },
        seen: { type: "boolean" },
        "first name": { anyOf: [{ type: "string" }, { type: "null" }] },
        cast: {
          type: "array",
          items: {
            type: "object",
            properties: { name: { type: "string" } },
            required: ["name"],
            additionalProperties: false,
          },
          minItems: 3,
          maxItems: 3,
          description: "Who plays",
        },
      },
      required: ["title", "year", "genres", "first name", "cast"],
      additionalProperties: false,
    });
  });

  it("reads lists and plain values", () => {
    assert.deepEqual(parseZodText("z.array(z.string())"), { type: "array", items: { type: "string" } });
    assert.deepEqual(parseZodText('z.literal("a")'), { const: "a" });
    assert.deepEqual(parseZodText("z.int().positive()"), { type: "integer", exclusiveMinimum: 0 });
  });

  it("reads nothing else, and executes nothing", () => {
    const sources = [
      "",
      "z",
      "z.object(",
      "z.object({ a: z.string() }",
      "z.object({ a: process.exit() })",
      "z.string().refine((x) => x)",
      "z.record(z.string())",
      "z.string() + 1",
      "z.string(); alert(1)",
      "z.boolean().min(1)",
      `z.array(${"z.array(".repeat(100)}`,
      "\u0000",
    ];
    for (const source of sources) assert.equal(parseZodText(source), undefined, source);
  });
});
