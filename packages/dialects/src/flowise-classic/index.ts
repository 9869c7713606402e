export { convertClassic } from "./convert-classic.ts";
export { createDraft, type Draft, type Exit } from "./draft.ts";
export { type ClassicEdge, type ClassicGraph, type ClassicNode, createClassicGraph, leavesFrom } from "./graph.ts";
export { toMemoryOf } from "./memory.ts";
export { toModel, toModelOf } from "./models.ts";
export { parsePromptText, toLiteral } from "./prompt-text.ts";
export { toPromptValues } from "./prompts.ts";
export { type ClassicScope, type Conversion, createScope } from "./scope.ts";
