export { FlowiseMovePage } from "./flowise-move-page.tsx";
export type { flowiseMoveStrings } from "./strings.ts";
