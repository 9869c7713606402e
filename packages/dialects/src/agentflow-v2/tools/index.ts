export { convertTool } from "./convert-tool.ts";
export type { ConvertedTool } from "./tool-converter.ts";
