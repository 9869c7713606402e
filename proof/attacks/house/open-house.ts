import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import {
  type ChatCompletionRequest,
  createScriptedOpenAiServer,
  type ScriptedOpenAiServer,
  type ScriptStep,
} from "../../../packages/providers/src/testing/index.ts";
import { freePort } from "../../../packages/server/src/testing/free-port.ts";
import { type PlatformProcess, startPlatformProcess } from "../../../packages/server/src/testing/platform-process.ts";
import { type Caller, createCaller } from "./caller.ts";
import { openService, type Reply, type Service } from "./open-service.ts";

/** What the model answers to a request. */
export type ModelScript = (request: ChatCompletionRequest) => ScriptStep;

/** What an attack works with: a real server, its owner, callers, services, and values that must not get out. */
export type House = {
  readonly platform: PlatformProcess;
  /** The operator's model server, as `OPENAI_BASE_URL` names it. */
  readonly modelUrl: string;
  /** The operator's request; rejects when the answer is not 2xx. */
  owner: PlatformProcess["call"];
  /** Saves an agent that is public, unless `more` says otherwise. Resolves with its id. */
  agent(flow: FlowSketch, more?: Record<string, unknown>): Promise<string>;
  /** One without credentials, from an address that no other caller has. */
  visitor(headers?: Record<string, string>): Caller;
  /** One with an API key of these settings. */
  keyHolder(settings?: Record<string, unknown>): Promise<Caller>;
  /** Stores a bearer token. Resolves with the credential's id. */
  credential(token: string): Promise<string>;
  /** The owner's service, which agents may call. */
  shop(reply?: Reply): Promise<Service>;
  /** The attacker's service. The operator has allowed its address, so that only the defence under attack is in the way. */
  trap(reply?: Reply): Promise<Service>;
  /** What the model of this attack's agents answers. Default: "Good day." */
  script(script: ModelScript): void;
  /** What the model was sent in this attack. */
  asked(): readonly ChatCompletionRequest[];
  /**
   * A value that is found wherever it goes. When the attack is over, no caller, no trap and no line of the server's
   * output may hold it.
   */
  plant(): string;
  /** A port that the operator allowed agents to call (`EGRESS_ALLOW`), for servers that speak no HTTP. */
  takePort(): number;
};

export type FlowSketch = { nodes: { id: string; type: string; config?: object }[]; edges?: [string, string][] };

/** A house that stays for several attacks. */
export type OpenHouse = {
  platform: PlatformProcess;
  /** Makes one attack's house; `settle` checks its canaries and closes its services. */
  enter(): { house: House; settle(): Promise<void> };
  close(): Promise<void>;
};

/** Ports for services: the operator names hosts before the server starts. */
const servicePorts = 40;

export async function openHouse(env: Readonly<Record<string, string>> = {}): Promise<OpenHouse> {
  let script: ModelScript = () => ({ text: "Good day." });
  const requests: ChatCompletionRequest[] = [];
  const model: ScriptedOpenAiServer = await createScriptedOpenAiServer({
    seesTags: true,
    script: (request: ChatCompletionRequest) => {
      requests.push(request);
      return script(request);
    },
  });
  const ports = await Promise.all(Array.from({ length: servicePorts }, freePort));
  const platform = await startPlatformProcess({
    env: {
      LOG_LEVEL: "debug",
      ALLOW_PUBLIC_FLOWS: "true",
      PUBLIC_RATE_LIMIT: "0",
      OPENAI_BASE_URL: model.url,
      OPENAI_API_KEY: "model-key",
      DEFAULT_MODEL: "scripted",
      EGRESS_ALLOW: ports.map((port) => `127.0.0.1:${port}`).join(","),
      ...env,
    },
  });
  await warmUp(platform);
  let callers = 0;
  return {
    platform,
    enter() {
      script = () => ({ text: "Good day." });
      requests.length = 0;
      return enterHouse({
        platform,
        modelUrl: model.url,
        ports,
        requests,
        setScript: (next) => {
          script = next;
        },
        nextAddress: () => {
          callers += 1;
          return `127.1.${Math.floor(callers / 250)}.${(callers % 250) + 1}`;
        },
      });
    },
    async close() {
      await platform.remove();
      await model.close();
    },
  };
}

/** A first run loads what all later ones use; the bound on pauses is for a server in use. */
async function warmUp(platform: PlatformProcess): Promise<void> {
  const nodes = [
    { id: "function", type: "custom-function", config: { code: "return 1" } },
    { id: "llm", type: "llm" },
  ];
  const flowData = JSON.stringify(toFlow({ nodes }));
  const { id } = await platform.call<{ id: string }>("POST", "/chatflows", { name: "Warm-up", flowData });
  for (let run = 0; run < 10; run += 1) await platform.call("POST", `/prediction/${id}`, { question: "Good morning" });
  await platform.call("DELETE", `/chatflows/${id}`);
}

type Rooms = {
  platform: PlatformProcess;
  modelUrl: string;
  ports: readonly number[];
  requests: readonly ChatCompletionRequest[];
  setScript(script: ModelScript): void;
  nextAddress(): string;
};

function enterHouse({ platform, modelUrl, ports, requests, setScript, nextAddress }: Rooms): {
  house: House;
  settle(): Promise<void>;
} {
  const canaries: string[] = [];
  const callers: Caller[] = [];
  const services: Service[] = [];
  const traps: Service[] = [];
  const outputBefore = platform.output().length;
  let portsTaken = 0;

  function takePort(): number {
    const port = ports[portsTaken];
    assert.ok(port !== undefined, `An attack has ${ports.length} services at most.`);
    portsTaken += 1;
    return port;
  }

  async function open(reply?: Reply): Promise<Service> {
    const service = await openService(takePort(), reply);
    services.push(service);
    return service;
  }

  function call(headers: Record<string, string>): Caller {
    const caller = createCaller({ port: platform.port, address: nextAddress(), headers });
    callers.push(caller);
    return caller;
  }

  const house: House = {
    platform,
    modelUrl,
    owner: platform.call,
    async agent(sketch, more = {}) {
      const body = { name: "Agent", isPublic: true, flowData: JSON.stringify(toFlow(sketch)), ...more };
      return (await platform.call<{ id: string }>("POST", "/chatflows?confirmDestinations=true", body)).id;
    },
    visitor: (headers = {}) => call(headers),
    async keyHolder(settings = {}) {
      const body = { keyName: "Key", ...settings };
      const { apiKey } = await platform.call<{ apiKey: string }>("POST", "/apikey", body);
      return call({ authorization: `Bearer ${apiKey}` });
    },
    async credential(token) {
      const body = { name: "Shop", credentialName: "httpBearerToken", plainDataObj: { token } };
      return (await platform.call<{ id: string }>("POST", "/credentials", body)).id;
    },
    shop: open,
    async trap(reply) {
      const service = await open(reply);
      traps.push(service);
      return service;
    },
    script: setScript,
    asked: () => [...requests],
    plant() {
      const canary = `canary-${randomUUID()}`;
      canaries.push(canary);
      return canary;
    },
    takePort,
  };
  return {
    house,
    async settle() {
      await Promise.all(services.map((service) => service.close()));
      const output = platform.output().slice(outputBefore);
      for (const canary of canaries) {
        assert.ok(!callers.some((caller) => caller.hasSeen(canary)), "A caller got the canary in an answer.");
        assert.ok(!traps.some((trap) => trap.hasSeen(canary)), "The attacker's service got the canary.");
        assert.ok(!output.includes(canary), "The canary stands in the server's output.");
      }
    },
  };
}

/** A start node is added where there is none, and each node follows the one before unless edges are named. */
function toFlow({ nodes, edges }: FlowSketch) {
  const all = nodes[0]?.type === "start" ? nodes : [{ id: "start", type: "start" }, ...nodes];
  const pairs = edges ?? all.slice(1).map(({ id }, index) => [all[index]?.id ?? "start", id] as const);
  return {
    weft: 1,
    nodes: all,
    edges: pairs.map(([source, target], index) => ({ id: `e${index}`, source, target })),
  };
}
