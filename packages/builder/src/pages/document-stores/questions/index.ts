export { QuestionsTab } from "./questions-tab.tsx";
