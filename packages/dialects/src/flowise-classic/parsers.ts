import type { JsonObject } from "@weft/schema";
import type { ClassicScope } from "./scope.ts";
import { parseZodText } from "./zod-text.ts";

/** The structured output that the wired parser asks for; empty if no parser is wired. */
export function toAnswerFormat(scope: ClassicScope): JsonObject {
  const parser = scope.part("outputParser");
  if (parser === undefined) return {};
  // An answer that does not fit is always asked for again.
  parser.ignore("autofixParser");
  const format = toFormat(parser);
  return format === undefined ? {} : { structuredOutput: format };
}

function toFormat(parser: ClassicScope): JsonObject | JsonObject[] | undefined {
  const { node, settings, report } = parser;
  switch (node.name) {
    case "structuredOutputParser":
      return settings
        .rows("jsonStructure")
        .filter((row) => row.text("property") !== "")
        .map((row) => ({
          name: row.text("property"),
          ...toFieldType(row.text("type"), row.text("description")),
          required: row.flag("required"),
        }));
    case "advancedStructuredOutputParser":
      return toWrittenFormat(parser);
    case "csvOutputParser":
      return toList(undefined);
    case "customListOutputParser":
      if (!["", ","].includes(settings.text("separator"))) {
        report.warn("parser-separator", "Its separator has no effect: the list comes as data. Remove it.");
      }
      return toList(settings.number("length"));
    default:
      report.refuse(
        "parser-unsupported",
        `Its output parser ${node.name.slice(0, 100)} cannot be used here. Describe the answer as structured output of the step.`,
      );
      return undefined;
  }
}

function toFieldType(type: string, description: string): JsonObject {
  if (type === "date")
    return { type: "string", description: description === "" ? "A date" : `${description} (a date)` };
  return { type: type === "number" || type === "boolean" ? type : "string", description };
}

function toList(length: number | undefined): JsonObject {
  const exact =
    length === undefined || length < 1 ? {} : { minItems: Math.floor(length), maxItems: Math.floor(length) };
  return { type: "array", items: { type: "string" }, ...exact };
}

function toWrittenFormat({ settings, report }: ClassicScope): JsonObject | undefined {
  const schema = parseZodText(settings.text("exampleJson"));
  if (schema === undefined) {
    report.refuse(
      "parser-schema",
      "The Zod schema of its output parser uses what is not read here. Describe the answer as structured output of the step.",
    );
  }
  return schema;
}
