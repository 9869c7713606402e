export { describeReport } from "./describe-report.ts";
export { type FlowTestReport, runFlowTests } from "./run-flow-tests.ts";
