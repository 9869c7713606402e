import {
  type ConfigPlace,
  fillIn,
  type ImportChoice,
  type ImportedSecret,
  keepRefusals,
  type MadeChoice,
  notYetSaid,
  ownStoresOf,
  recognise,
  settle,
} from "@weft/dialects";
import { type Identity, isGranted, nameOf as nameOfSender, type Reach, reachesAgent } from "@weft/http/identity";
import type { ImportFile } from "@weft/imports";
import {
  type Credential,
  type Finding,
  type FlowDocument,
  type FlowImport,
  type FlowImportRequest,
  type FlowReading,
  jsonObjectTextSchema,
  type OwnStore,
  WeftError,
} from "@weft/schema";
import { createPause, createWorkerClient, WorkerEnded } from "@weft/workers";
import type { Context } from "../context.ts";
import { type Confirmer, toConfirmer } from "../credentials/index.ts";
import type { Needs } from "../feature.ts";
import { createReachCheck } from "../references/index.ts";
import { withOwnStoreIds } from "./flow.service.ts";
import type { ImportAnswer } from "./import-worker.ts";

/** Uploaded files, and the choices made for them. */
type Files = Pick<FlowImportRequest, "files" | "choices">;

/** Creates agents from files: flows of any dialect, and those of other builders. Nothing in a file is executed. */
export type FlowImportService = {
  /** The flow in the native format, with its findings and open choices. Stores nothing. */
  preview(files: Files, reach: Reach): Promise<FlowReading>;
  /**
   * Stores the flow as a new agent, and secrets of the files as credentials if the caller may write them. Rejects with
   * `validation-failed` if the files hold no flow.
   */
  import(
    request: FlowImportRequest,
    caller: { identity: Identity; reach: Reach; newId: string | undefined },
  ): Promise<FlowImport>;
  /** Ends the thread that reads files. */
  close(): Promise<void>;
};

type NewAgent = {
  id: string;
  name: string;
  flow: FlowDocument;
  findings: readonly Finding[];
  secrets: readonly ImportedSecret[];
  described: readonly OwnStore[];
};

type Storing = { flow: FlowDocument; secrets: readonly ImportedSecret[]; stored: Credential[] };

/** Contents of files: the part that answers show, and the secrets, which they do not. */
type ReadFiles = { reading: FlowReading; secrets: readonly ImportedSecret[] };

export function createFlowImportService(
  { ids, nodeTypes }: Context,
  needs: Needs<"agentReader" | "agents" | "credentials" | "documentStores" | "flows">,
): FlowImportService {
  const { flows, agents, credentials, documentStores } = needs;
  const assertMayName = createReachCheck(nodeTypes);
  const reader = createReader();

  /** `whole`: the only file, if an agent can have it as it is. */
  async function read(
    { files, choices: made = [] }: Files,
    whole: ImportFile | undefined,
    reach: Reach,
  ): Promise<ReadFiles> {
    if (whole) return { reading: { ...(await flows.read(whole.text)), name: nameOf(whole) }, secrets: [] };
    const imported = await reader.read(files);
    const proposed = await proposeAgents(needs, imported.choices, reach);
    const pause = createPause();
    const { flow, findings } = settle(imported, [...made, ...proposed]);
    await pause();
    const reading: FlowReading = {
      dialect: imported.source,
      name: imported.name,
      flow,
      findings: await withChecks(flow, findings),
      flows: [],
      choices: imported.choices.map((choice) => showChoice(choice, proposed)),
      secrets: imported.secrets.map(showSecret),
    };
    return { reading, secrets: imported.secrets };
  }

  /** Findings of the conversion, and of the platform for the result. Each place is named once. */
  async function withChecks(flow: FlowDocument, findings: readonly Finding[]): Promise<Finding[]> {
    if (flow.nodes.length === 0) return [...findings];
    const isKnown = (one: Finding) =>
      one.path !== undefined && findings.some(({ nodeId, path }) => nodeId === one.nodeId && path === one.path);
    const further = notYetSaid(findings, await flows.check(JSON.stringify(flow)));
    return [...findings, ...further.filter((finding) => !isKnown(finding))];
  }

  /** A file's secret is sent nowhere before someone allows it, since the file names the address, too. */
  async function store({ flow, secrets, stored }: Storing, by: Confirmer): Promise<void> {
    for (const { name, credentialName, data, places } of secrets) {
      const credential = await credentials.create({ name, credentialName, plainDataObj: data }, by);
      stored.push(credential);
      fillIn(flow, places, () => credential.id);
    }
  }

  /** Removes the credentials that it has stored if the agent cannot be created. */
  async function create(
    { id, name, flow, findings, secrets, described }: NewAgent,
    identity: Identity,
  ): Promise<FlowImport> {
    const mayStore = isGranted(identity.grants, "credentials:write");
    const stored: Credential[] = [];
    try {
      if (mayStore) await store({ flow, secrets, stored }, toConfirmer(identity));
      const left = mayStore ? [] : secrets.map(leftOut);
      const flowData = JSON.stringify(withOwnStoreIds(keepRefusals(flow, left), id));
      const agent = await agents.create({ id, name, flowData, author: nameOfSender(identity) });
      await documentStores.own.make(agent, described);
      return { agent, findings: [...findings, ...left], credentials: stored };
    } catch (cause) {
      for (const { id } of stored) await credentials.remove(id);
      throw cause;
    }
  }

  return {
    close: reader.close,
    async preview(request, reach) {
      const [whole] = request.files.length === 1 ? await storableIn(request.files) : [];
      return (await read(request, whole, reach)).reading;
    },

    async import(request, { identity, reach, newId }) {
      const storable = await storableIn(request.files);
      const [whole] = request.files.length === 1 ? storable : [];
      const { reading, secrets } = await read(request, whole, reach);
      const { flow, findings } = reading;
      if (flow.nodes.length === 0) throw nothingToImport(findings);
      const texts = [...storable.map(({ text }) => text), JSON.stringify(flow)];
      for (const text of texts) assertMayName(identity, text);
      const described = whole ? ownStoresOf(whole.text) : [];
      const name = request.name?.trim() || reading.name.trim() || "Imported flow";
      return create({ id: newId ?? ids.uuid(), name, flow, findings, secrets, described }, identity);
    },
  };
}

/** Agents of the server with the name that files ask for: of several, the oldest. */
async function proposeAgents({ agentReader }: Needs<"agentReader">, choices: readonly ImportChoice[], reach: Reach) {
  const named = choices.filter(({ kind }) => kind === "agent");
  if (named.length === 0) return [];
  const reached = (await agentReader.listSettings()).filter(({ id }) => reachesAgent(reach.agents, id));
  return named.flatMap(({ kind, name }) => {
    const found = reached.find((agent) => isSameName(agent.name, name));
    return found === undefined ? [] : [{ kind, name, value: found.id }];
  });
}

/** Files of a flow never take longer. */
const readMs = 5_000;

/** Reads files outside the event loop, one import after the other: only its own files can crash the thread. */
function createReader() {
  const url = new URL("./import-worker.ts", import.meta.url);
  const worker = createWorkerClient<readonly ImportFile[], ImportAnswer>({ url, idleMs: 10_000, computeMs: readMs });
  let turn: Promise<unknown> = Promise.resolve();

  async function readNow(files: readonly ImportFile[]): Promise<ImportAnswer> {
    try {
      return await worker.ask(files, { signal: new AbortController().signal });
    } catch (cause) {
      if (!(cause instanceof WorkerEnded)) throw cause;
      const message = `These files could not be read, or not within ${readMs / 1_000} seconds. Import the files of one flow, and nothing else.`;
      throw new WeftError("validation-failed", { message, errors: [{ path: "files", message }], cause });
    }
  }
  return {
    read(files: readonly ImportFile[]): Promise<ImportAnswer> {
      const own = turn.then(() => readNow(files));
      turn = own.catch(() => undefined);
      return own;
    },
    close: worker.close,
  };
}

/** Whether a file is a flow that an agent can have as it is. The limits of stored flows are checked before parsing. */
async function isStorable({ text }: ImportFile): Promise<boolean> {
  const pause = createPause();
  const isObject = jsonObjectTextSchema.safeParse(text).success;
  await pause();
  const isFlow = isObject && recognise(text).dialect !== "unknown";
  await pause();
  return isFlow;
}

async function storableIn(files: readonly ImportFile[]): Promise<ImportFile[]> {
  const storable = [];
  for (const file of files) if (await isStorable(file)) storable.push(file);
  return storable;
}

/** The name of a file without its format suffix. */
function nameOf({ name }: ImportFile): string {
  return name.replace(/(\.flow)?\.json$/i, "");
}

function isSameName(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}

function showChoice({ kind, name, places }: ImportChoice, proposed: readonly (MadeChoice & { value: string })[]) {
  const proposal = proposed.find((one) => one.kind === kind && one.name === name)?.value;
  const nodeIds = [...new Set(places.map(({ nodeId }) => nodeId))];
  return { kind, name, nodeIds, ...(proposal === undefined ? {} : { proposal }) };
}

function showSecret({ name, credentialName, host }: ImportedSecret) {
  return { name, credentialName, ...(host === undefined ? {} : { host }) };
}

function leftOut({ name, places }: ImportedSecret): Finding {
  return {
    level: "error",
    code: "import-secret-left-out",
    ...placeOf(places[0]),
    message: `The secret of "${name}" was not stored, because you may not write credentials. Have a credential created and choose it.`,
  };
}

function placeOf(place: ConfigPlace | undefined): Pick<Finding, "nodeId" | "path"> {
  return place === undefined ? { nodeId: null } : { nodeId: place.nodeId, path: place.path };
}

function nothingToImport(findings: readonly Finding[]): WeftError {
  const reason = findings.map(({ message }) => message).join(" ") || "The files hold no flow.";
  return new WeftError("validation-failed", {
    message: reason,
    errors: [{ path: "files", message: reason }],
  });
}
