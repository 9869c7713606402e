import type { Execution, ExecutionStep } from "@weft/client";
import { client } from "../../api/client.ts";
import { Download } from "../../icons/icons.gen.ts";
import { executionStrings } from "../../strings.ts";
import { Action } from "../../ui/controls/actions.tsx";
import { downloadText } from "../../ui/download-text.ts";
import { useRequest } from "../../ui/page/requests.ts";
import { isCutStep } from "./timeline/index.ts";

/** Steps whose whole values are asked for; those of further ones stay cut, and marked. */
const mostWholeSteps = 50;

type Api = Pick<typeof client, "getExecution">;

/** A run as the API answers it, with the whole values of the first steps that have cut ones. */
export async function readTrace(id: string, api: Api): Promise<Execution> {
  const execution = await api.getExecution({ id });
  const whole = new Map<string, ExecutionStep>();
  for (const { nodeKey } of execution.steps.filter(isCutStep).slice(0, mostWholeSteps)) {
    const { steps } = await api.getExecution({ id, wholeStep: nodeKey });
    const step = steps.find((one) => one.nodeKey === nodeKey);
    if (step) whole.set(nodeKey, step);
  }
  return { ...execution, steps: execution.steps.map((step) => whole.get(step.nodeKey) ?? step) };
}

/** Gives the browser a file with everything about a run. */
export function DownloadTrace({ execution: { id } }: { execution: Execution }) {
  const download = useRequest(() => readTrace(id, client), {
    isLoud: true,
    next: (trace) => downloadText(`execution-${id}.json`, `${JSON.stringify(trace, null, 2)}\n`, "application/json"),
  });
  return <Action icon={Download} label={executionStrings.download} runs={download} />;
}
