import type { Mutant } from "./mutant.ts";

const engine = "packages/engine/src";
const faults = `${engine}/faults.test.ts`;

export const ofEngine: Mutant[] = [
  {
    name: "a write begins before its announcement is durable",
    file: `${engine}/run/run-effect.ts`,
    original: "if (!isRead || !journal.isSure()) {",
    replacement: "if (!journal.isSure()) {",
    tests: [faults],
  },
  {
    name: "a write whose outcome is unknown is made again",
    file: `${engine}/run/run-effect.ts`,
    original: `if (record.kind !== "write") return undefined;`,
    replacement: `if (record.kind !== "read") return undefined;`,
    tests: [faults],
  },
  {
    name: "a retry makes a failed write again",
    file: `${engine}/run/run-effect.ts`,
    original: `record.outcome.ok || record.kind === "write" || record.attempt === scope.attempt`,
    replacement: "record.outcome.ok || record.attempt === scope.attempt",
    tests: [`${engine}/run/run-effect.test.ts`],
  },
  {
    name: "the key of a repeated call is another one",
    file: `${engine}/run/run-effect.ts`,
    original: "const id = effectId(nodeKey, effectKey);",
    replacement: "const id = effectId(nodeKey, effectKey) + state.lastSeq;",
    tests: [faults],
  },
  {
    name: "observers hear of events before they are durable",
    file: `${engine}/run/run-journal.ts`,
    original: "await journal.append({ runId, epoch, events, begin: state.started ?? undefined });",
    replacement:
      "observer.committed(runId, events);\n    await journal.append({ runId, epoch, events, begin: state.started ?? undefined });",
    tests: [faults],
  },
  {
    name: "events follow the terminal one",
    file: `${engine}/run/run-journal.ts`,
    original: "if (state.end !== null) return;",
    replacement: "",
    tests: [`${engine}/start-run.test.ts`],
  },
  {
    name: "sequence numbers have holes",
    file: `${engine}/run/run-journal.ts`,
    original: "seq: state.lastSeq + 1,",
    replacement: "seq: state.lastSeq + (pending.length > 0 ? 2 : 1),",
    tests: [faults],
  },
  {
    name: "words are streamed before their step is durable",
    file: `${engine}/run/execute-node.ts`,
    original: "journal.onceDurable(() => observer.delta(delta));",
    replacement: "observer.delta(delta);",
    tests: [faults, `${engine}/start-run.test.ts`],
  },
  {
    name: "a second answer to a question takes effect",
    file: `${engine}/run/fold.ts`,
    original: `if (node.phase.type !== "waiting" || node.phase.wait.waitId !== event.waitId) return;`,
    replacement: `if (node.phase.type !== "waiting") {
      node.phase = { type: "started", attempt, answer: event.answer };
      return;
    }`,
    tests: [faults],
  },
  {
    name: "a cancel only lets go of the run",
    file: `${engine}/start-run.ts`,
    original: "cancel: () => signals.abort(cancelled()),",
    replacement: "cancel: () => signals.stop(),",
    tests: [faults],
  },
  {
    name: "a run that its process lets go of ends",
    file: `${engine}/scheduler.ts`,
    original: "return failure ? conclude(run, failure) : letGo(run);",
    replacement: "return failure ? conclude(run, failure) : concludeQuiet(run);",
    tests: [`${engine}/scheduler.test.ts`, `${engine}/start-run.test.ts`],
  },
  {
    name: "a run that waits for a person completes",
    file: `${engine}/scheduler.ts`,
    original: "if (openWaits(run.state).length > 0) {",
    replacement: "if (openWaits(run.state).length > 1) {",
    tests: [faults],
  },
  {
    name: "a step whose write failed is retried",
    file: `${engine}/run/record-result.ts`,
    original: "const mayRetry = error.retryable && !isFinal &&",
    replacement: "const mayRetry = error.retryable &&",
    tests: [`${engine}/start-run.test.ts`],
  },
  {
    name: "the call of a tool that needs an approval is made without",
    file: `${engine}/agent/approval.ts`,
    original: `if (ruling === "allow" && !call.requiresApproval) return`,
    replacement: `if (ruling === "allow") return`,
    tests: [faults, `${engine}/agent/approval.test.ts`],
  },
];
