export { createSandbox, type SandboxOptions } from "./create-sandbox.ts";
export type { SandboxLimits } from "./limits.ts";
