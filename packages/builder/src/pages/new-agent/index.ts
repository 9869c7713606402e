export { NewAgentPage } from "./new-agent-page.tsx";
export type { newAgentStrings } from "./strings.ts";
