export { nodeRegistry } from "./registry.ts";
