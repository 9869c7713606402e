export {
  createFlowDrawing,
  type Exit,
  exitOf,
  type FlowDrawing,
  type NewNode,
} from "./flow-drawing.ts";
