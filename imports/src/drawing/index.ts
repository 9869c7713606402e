export {
  createFlowDrawing,
  type Exit,
  exitOf,
  type FlowDrawing,
  type NewNode,
  type NodeReport,
} from "./flow-drawing.ts";
