import type { RunnableAgent } from "@weft/agents";
import type { CompiledFlow } from "@weft/engine";
import { reachesAgent } from "@weft/http/identity";
import { WeftError } from "@weft/schema";
import type { Needs } from "../feature.ts";
import { assertKey, type Caller, opens } from "../predictions/index.ts";

type AgentSettings = RunnableAgent["agent"];

/** An agent under the name that clients of other protocols use. */
export type ServedAgent = {
  slug: string;
  agent: AgentSettings;
  readAgent(): Promise<RunnableAgent>;
  flow(): Promise<CompiledFlow>;
};

/**
 * Agents for clients of other protocols: those that a protocol lists by name, any by id.
 * An agent bound to a key is listed for that key only.
 */
export type ServedAgents = {
  /** Those that have a name. Of equal names the first keeps it, the others get a part of their id. */
  list(caller: Caller): Promise<ServedAgent[]>;
  /**
   * By id or name. `known`: its settings, if they were just read. Rejects with `not-found`, and with `api-key-wrong`
   * for the id of an agent that needs another key.
   */
  find(idOrSlug: string, caller: Caller, known?: AgentSettings): Promise<ServedAgent>;
  /** Id of the agent with that id or name, for any caller; undefined if there is none. */
  findId(idOrSlug: string): Promise<string | undefined>;
};

/** `listNamed`: agents with a name in the protocol, in order of precedence. */
export function createServedAgents(
  listNamed: () => Promise<AgentSettings[]>,
  { runnables: { compile, getForRun, toRunnable } }: Needs<"runnables">,
): ServedAgents {
  function serve(slug: string, agent: AgentSettings, readAgent: ServedAgent["readAgent"]): ServedAgent {
    const flow = async () => {
      const { versionId, flowData } = await readAgent();
      return compile(versionId, flowData);
    };
    return { slug, agent, readAgent, flow };
  }

  async function named(): Promise<ServedAgent[]> {
    const taken = new Set<string>();
    return (await listNamed()).map((agent) => {
      const plain = toSlug(agent.name);
      const slug = taken.has(plain) ? toOwnSlug(plain, agent.id) : plain;
      taken.add(slug);
      return serve(slug, agent, () => toRunnable(agent));
    });
  }

  async function shownTo(caller: Caller, served: readonly ServedAgent[]): Promise<ServedAgent[]> {
    const keys = await caller.apiKeys();
    return served.filter(({ agent }) => reachesAgent(caller.reach.agents, agent.id) && opens(keys, agent));
  }

  const list = async (caller: Caller) => shownTo(caller, await named());

  return {
    list,
    async find(idOrSlug, caller, known) {
      const readKnown = known && (() => toRunnable(known));
      if (!isId(idOrSlug)) {
        const served = known && readKnown ? [serve(idOrSlug, known, readKnown)] : await named();
        const found = (await shownTo(caller, served)).find(({ slug }) => slug === idOrSlug);
        if (found) return found;
        throw new WeftError("not-found", { params: { resource: "agent", id: idOrSlug.slice(0, 100) } });
      }
      const runnable = await (readKnown?.() ?? getForRun(idOrSlug.toLowerCase()));
      await assertKey(runnable, caller);
      return serve(toSlug(runnable.agent.name), runnable.agent, async () => runnable);
    },
    async findId(idOrSlug) {
      if (isId(idOrSlug)) return idOrSlug;
      return (await named()).find(({ slug }) => slug === idOrSlug)?.agent.id;
    },
  };
}

function isId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/** Longest tool name that model vendors accept. */
const maxLength = 64;

/** A name for programs, `[a-z0-9-]{1,64}`, such as `customer-support`; `agent` if nothing of the text is left. */
function toSlug(text: string): string {
  const plain = text.normalize("NFKD").replaceAll(/\p{Mark}/gu, "");
  return shorten(plain.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-"), maxLength) || "agent";
}

/** The slug with a prefix of the id, for all but the first of equal slugs. */
function toOwnSlug(slug: string, id: string): string {
  const ending = `-${id.replaceAll("-", "").slice(-8)}`;
  return shorten(slug, maxLength - ending.length) + ending;
}

function shorten(text: string, length: number): string {
  return text
    .replace(/^-+/, "")
    .slice(0, length)
    .replace(/(?<!-)-+$/, "");
}
