export { createQuestions } from "./create-questions.ts";
export { type QuestionRouteDeps, questionRoutes } from "./question.routes.ts";
