/** The settings of the selected step. Its forms are large and are loaded apart. */
export const loadInspector = () => import("./inspector/node-inspector.tsx");

export { CanvasContext, useCanvas, useEditorState, useSelectedNode } from "./canvas-context.ts";
export { FlowCanvas } from "./flow-canvas.tsx";
export { type FlowModel, parseDocument, toDocument, toModel } from "./model/flow-model.ts";
export { NodePalette } from "./node-palette.tsx";
export { type CanvasSession, createCanvasSession } from "./session/canvas-session.ts";
export { canvasStrings } from "./strings.ts";
