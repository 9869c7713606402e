import type { AgainstCommand } from "../arguments.ts";
import type { Figure, Scenario } from "../figures/figure.ts";
import { UnexpectedAnswer } from "../load/answer-reader.ts";
import { ConnectionLost, type LoadRequest, type LoadResult, type LoadSize, load } from "../load/load.ts";
import { readMachineMs } from "../load/threads.ts";
import { BenchError } from "../report/bench-error.ts";
import { report } from "../report/report.ts";
import { modelCallOf, predictionOf, requestOf, tokenMarker } from "../weft/requests.ts";
import { openServer, type Server } from "./open-server.ts";

/**
 * The requests that Flowise's API and Weft's share, sent to a server that runs already: what is inside of it is unknown, so
 * its CPU, memory, disk and statements are not measured. Rejects with `BenchError` when the server cannot be measured.
 */
export async function measureServer(command: AgainstCommand): Promise<void> {
  const server = await openServer(command);
  if (!server.streams) console.log("The agent does not stream tokens, so the time to the first one is left out.");
  try {
    await report(scenariosOf(server, command.modelUrl), command);
  } catch (error) {
    const isOutside = error instanceof UnexpectedAnswer || error instanceof ConnectionLost;
    throw isOutside ? new BenchError(`The load broke off. ${error.message}`, { cause: error }) : error;
  } finally {
    await server.close();
  }
}

function scenariosOf({ target, agentId, streams }: Server, modelUrl: string | undefined): Scenario[] {
  const predict = predictionOf(target, agentId);
  const stream = predictionOf(target, agentId, { streaming: true });
  const ping = requestOf(target, "GET", "/ping");
  const [call, callStream] = modelUrl
    ? [modelCallOf(modelUrl), modelCallOf(modelUrl, { streaming: true })]
    : [undefined, undefined];
  const model = modelUrl === undefined ? {} : { baseline: "model calls" };
  const firstToken = (connections: number) =>
    scenario(
      { title: `first token, ${connections} connection${connections > 1 ? "s" : ""}, p50`, unit: "ms", ...model },
      {
        request: stream,
        marker: tokenMarker,
        baseline: callStream,
        connections,
        read: (result) => result.firstByteP50Ms,
      },
    );

  return [
    scenario(
      { title: "predictions, 16 connections", unit: "/s", ...model },
      { request: predict, baseline: call, connections: 16, read: toRate },
    ),
    scenario(
      { title: "prediction, 1 connection, p50", unit: "ms", ...model },
      { request: predict, baseline: call, connections: 1, read: (result) => result.p50Ms },
    ),
    ...(streams ? [firstToken(1), firstToken(16)] : []),
    scenario(
      { title: "GET an agent", unit: "/s", baseline: "pings" },
      { request: requestOf(target, "GET", `/chatflows/${agentId}`), baseline: ping, connections: 16, read: toRate },
    ),
    scenario(
      { title: "list of all agents", unit: "/s", baseline: "pings" },
      { request: requestOf(target, "GET", "/chatflows"), baseline: ping, connections: 16, read: toRate },
    ),
  ];
}

type Measurement = {
  request: LoadRequest;
  marker?: string;
  baseline: LoadRequest | undefined;
  connections: number;
  read(result: LoadResult): number;
};

function scenario(figure: Figure, { request, marker, baseline, connections, read }: Measurement): Scenario {
  return {
    name: "against",
    database: "",
    warmsUp: true,
    figures: [figure],
    async measure(seconds) {
      const size: LoadSize = { connections, seconds };
      const before = baseline && read(await load(baseline, { ...size, seconds: seconds / 3 }));
      const [startedAt, machineMs] = [performance.now(), readMachineMs()];
      const result = await load(request, marker === undefined ? size : { ...size, marker });
      const busyCores = (readMachineMs() - machineMs) / (performance.now() - startedAt);
      const cores = { load: result.cores, rest: Math.max(0, busyCores - result.cores) };
      return [{ value: read(result), ...(before !== undefined && { baseline: before }), cores }];
    },
  };
}

function toRate({ perSecond }: LoadResult): number {
  return perSecond;
}
