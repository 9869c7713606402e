export { effectOf, type GuardContext, type Guarded, guardCall, guardHttp } from "./approval.ts";
export { askModel } from "./ask-model.ts";
export { citePassages, fencePassage } from "./cite-passages.ts";
export { withoutMarks } from "./mark-data.ts";
export { type AnswerSchema, askAgain, readAnswer } from "./read-answer.ts";
export { readArguments } from "./read-arguments.ts";
export { runAgent } from "./run-agent.ts";
export { callAgent, flowFactsOf, toToolContext } from "./tool-context.ts";
