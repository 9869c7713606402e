import type { Template } from "@weft/client";

/**
 * The flow of a template with the addresses of services in place of the variables that stand for them. What is not
 * given stays a variable, which the editor reports until there is one.
 */
export function fillTemplate({ flowData, needs }: Template, given: Readonly<Record<string, string>>): string {
  let filled = flowData;
  for (const { kind, name } of needs) {
    const value = given[name]?.trim().replace(/\/+$/, "") ?? "";
    if (kind !== "service" || value === "") continue;
    const literal = JSON.stringify(value).slice(1, -1);
    filled = filled.replaceAll(`{{ $vars.${name} }}`, () => literal);
  }
  return filled;
}
