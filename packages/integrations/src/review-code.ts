import { missingModulesSentence, type NodeProblem } from "@weft/engine";

/** Finds what code asks for and the sandbox does not have. `owner` begins the sentence. */
export function reviewCode(code: string, path: string, owner: string): NodeProblem[] {
  const message = missingModulesSentence(code, owner);
  return message === undefined ? [] : [{ level: "error", code: "code-module-unavailable", path, message }];
}
