export { createQuestions } from "./create-questions.ts";
export { type QuestionRouteDeps, questionRoutes } from "./question.routes.ts";
export { createQuestionFileReader } from "./question-file-reader.ts";
export { createQuestionSetWriter } from "./question-set.ts";
export { type CheckOutcome, createCheckAsking, createStoreChecks } from "./store-checks.ts";
