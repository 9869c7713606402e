export { findClosingBrace } from "./lex.ts";
export { withLibrary } from "./library/index.ts";
export { type Expression, parseExpression, pathOf } from "./parse.ts";
export { type BranchTest, toBranchTest } from "./to-condition.ts";
export { type Resolve, toJavaScript, toLiteral } from "./to-javascript.ts";
