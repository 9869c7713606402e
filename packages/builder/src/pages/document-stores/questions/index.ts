export { QuestionsTab } from "./questions-tab.tsx";
export { storeQuestionsStrings } from "./strings.ts";
