export { createScriptedModel, type ScriptedStep } from "./scripted-model.ts";
export { createTestProcess, noServices, runId, type TestProcess } from "./test-process.ts";
