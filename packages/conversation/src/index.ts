export {
  type Answer,
  type AnswerState,
  type ChatFailure,
  emptyAnswer,
  isUnderWay,
  type ToolCall,
} from "./answer.ts";
export { applyFrame, executionIdOf, type Frame, toFinishedCall } from "./apply-frame.ts";
