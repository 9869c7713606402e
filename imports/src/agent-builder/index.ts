export { importAgentBuilder, isAgentBuilderFile } from "./import-agent-builder.ts";
