import { type Client, WeftApiError } from "@weft/client";
import type { Described, Describer } from "./describer.ts";

/** The operations whose answers are translated. */
const describedOperations: Readonly<Record<Described, true>> = {
  listNodeTypes: true,
  listIntegrations: true,
  listCredentialTypes: true,
  listModelProviders: true,
  listTemplates: true,
  listLoaderTypes: true,
  listSplitters: true,
  listEmbeddingProviders: true,
  listVectorStores: true,
  listRecordManagers: true,
  listRetrievalSettings: true,
  listAgentFindings: true,
  listAgentDraftFindings: true,
  readFlow: true,
  importFlow: true,
  listExecutions: true,
  getExecution: true,
};

type Operation = (...args: unknown[]) => unknown;
type LoadDescriber = () => Promise<Describer | undefined>;

/**
 * The client with what the server describes, its findings and its refusals in the reader's language. This is the only
 * place where answers are translated: other names in them, and everything that is sent, stay as they are.
 */
export function describeClient(client: Client, load: LoadDescriber): Client {
  const operations = Object.entries(client).map(([name, send]) => [name, toDescribed(name, send as Operation, load)]);
  return Object.fromEntries(operations) as Client;
}

function toDescribed(name: string, send: Operation, load: LoadDescriber): Operation {
  return (...args) => {
    const sent = send(...args);
    return sent instanceof Promise ? describeAnswer(name, sent, load) : sent;
  };
}

async function describeAnswer(name: string, sent: Promise<unknown>, load: LoadDescriber): Promise<unknown> {
  try {
    const answer = await sent;
    if (!isDescribed(name)) return answer;
    return (await load())?.sayAnswer(name, answer) ?? answer;
  } catch (error) {
    if (error instanceof WeftApiError) (await load())?.sayError(error);
    throw error;
  }
}

function isDescribed(name: string): name is Described {
  return Object.hasOwn(describedOperations, name);
}
