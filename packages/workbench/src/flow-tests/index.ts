export { type FlowTestReport, runFlowTests } from "./run-flow-tests.ts";
