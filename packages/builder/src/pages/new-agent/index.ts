export { NewAgentPage } from "./new-agent-page.tsx";
