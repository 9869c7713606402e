export { assertJournal, createFault, type Fault, faultyJournal, type Way, ways } from "./fault.ts";
export { createMemoryJournal, type MemoryJournal } from "./memory-journal.ts";
export { createMemoryRetriever } from "./memory-retriever.ts";
export { createScriptedModel, type ScriptedStep } from "./scripted-model.ts";
export { createTestProcess, noMemory, noServices, runId, type TestProcess } from "./test-process.ts";
export { createVirtualClock } from "./virtual-clock.ts";
