export { FlowiseMovePage } from "./flowise-move-page.tsx";
