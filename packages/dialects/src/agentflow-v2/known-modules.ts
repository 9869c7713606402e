import { missingModulesSentence } from "@weft/engine";
import type { Report } from "./node-converter.ts";

/**
 * The code as it is: the sandbox knows `node-fetch`. Code that asks for other modules is refused, as it would fail when it
 * runs. `owner` begins the sentence that says so.
 */
export function withKnownModules(code: string, owner: string, report: Report): string {
  const missing = missingModulesSentence(code, owner);
  if (missing !== undefined) report.refuse("code-module-unavailable", missing);
  return code;
}
