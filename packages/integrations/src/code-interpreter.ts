import type { Tool } from "@weft/engine/ports/tool";
import type { Json } from "@weft/schema";
import { z } from "zod";
import { cutText } from "./calls/call-http.ts";
import { defineIntegration } from "./define-integration.ts";

const maxCharacters = 20_000;

/** Lets the model compute with JavaScript in the sandbox: without network, without access to the server. */
export const codeInterpreter = defineIntegration({
  type: "code-interpreter",
  title: "Code interpreter",
  summary: "Runs JavaScript that the model writes, in a sandbox without network or files.",
  group: "built-in",
  config: z.object({}),
  build: () => [runJavaScript],
});

const runJavaScript: Tool = {
  name: "run_javascript",
  description:
    "Runs JavaScript and returns its result. The code is the body of an async function: end it with `return`. " +
    "console.log output is returned as well. Use it for calculations and data processing. lodash, dayjs, moment and cheerio " +
    "can be loaded with `require`. There is no network or file access.",
  parameters: {
    type: "object",
    properties: { code: { type: "string", description: "Body of an async JavaScript function." } },
    required: ["code"],
    additionalProperties: false,
  },
  kind: "read",
  effect: "read",
  async call({ code }, { sandbox, signal }) {
    const result = await sandbox.run({ code: String(code), globals: {}, signal });
    const answer = result.ok ? toText(result.value) : `${result.error.name}: ${result.error.message}`;
    const content = cutText([...result.logs, answer].join("\n"), maxCharacters);
    return result.ok ? { content } : { content, isError: true };
  },
};

function toText(value: Json): string {
  if (value === null) return "The code returned nothing. End it with return to see a value.";
  return typeof value === "string" ? value : JSON.stringify(value);
}
