export { AddAnswerQuestion } from "./add-answer-question.tsx";
export { QuestionDialog, type QuestionDraft } from "./question-dialog.tsx";
