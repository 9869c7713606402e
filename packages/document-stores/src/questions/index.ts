export { askCheck } from "./check.store.ts";
export { createQuestions } from "./create-questions.ts";
export { questionRoutes } from "./question.routes.ts";
export { createQuestionFileReader } from "./question-file-reader.ts";
export { keepQuestionSet } from "./question-set.ts";
export { type CheckOutcome, createStoreChecks } from "./store-checks.ts";
