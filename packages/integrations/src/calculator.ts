import { z } from "zod";
import { evaluateExpression } from "./calculator/evaluate.ts";
import { functions } from "./calculator/functions.ts";
import { defineIntegration } from "./define-integration.ts";

const description = [
  "Computes an arithmetic expression exactly. Operators: + - * / ^ and parentheses.",
  "50% is 0.5; 10 % 3 is the remainder. Angles are in radians; log(x) is to base 10, log(x, base) to another, ln(x) natural.",
  `Functions: ${Object.keys(functions).join(", ")}. Constants: pi, e, tau.`,
].join(" ");

/** Lets the model count instead of guessing. */
export const calculator = defineIntegration({
  type: "calculator",
  title: "Calculator",
  summary: "Computes arithmetic expressions.",
  group: "built-in",
  icon: "calculator",
  config: z.object({}),
  build() {
    return [
      {
        name: "calculator",
        description,
        parameters: {
          type: "object",
          properties: { expression: { type: "string", description: "For example (1200 * 1.19 - 80) / 12" } },
          required: ["expression"],
          additionalProperties: false,
        },
        kind: "read",
        async call({ expression }) {
          const result = evaluateExpression(String(expression));
          if (result.ok) return { content: result.value };
          return { content: `The expression cannot be computed. ${result.message}`, isError: true };
        },
      },
    ];
  },
});
