// Copies agent flows, chatflows, tools and variables of a Flowise server into this one, over both APIs. Ids stay, so that
// what refers to them goes on working: FLOWISE_API_KEY=… WEFT_TOKEN=… ./weft copy-from-flowise FROM [TO]
import { parseArgs } from "node:util";
import { type Agent, createClient, type Tool, type Variable, WeftApiError } from "../packages/client/src/index.ts";

const usage = `Usage: FLOWISE_API_KEY=… WEFT_TOKEN=$(npm run -s token) ./weft copy-from-flowise [--open-agents open|closed] FROM [TO]

FROM is the address of the other server, TO that of this one, by default http://localhost:3000. What is here already, by
its id, is left as it is: after a failure run it again.

An agent that needs a key there needs one here: it gets a new key, which is printed once. An agent without a key answers
everybody there, and --open-agents says what becomes of it: open (isPublic, with ALLOW_PUBLIC_FLOWS=true here) or closed
(every caller needs an API key).
`;

type OpenAgents = "open" | "closed";
type CopyOptions = {
  from: string;
  to: string;
  fromKey: string;
  token: string;
  openAgents: OpenAgents | undefined;
  print(line: string): void;
};

/** What somebody has to decide first, in a sentence. */
class UndecidedError extends Error {}

/** A server that cannot be asked, in a sentence. */
class UnreachableError extends Error {}

const conflict = 409;
const agentFields = ["name", "flowData", "type", "deployed", "chatbotConfig", "apiConfig", "category"] as const;

/** Resolves with how many things could not be copied. Rejects with `UnreachableError`, and `UndecidedError` before anything is copied. */
async function copyFromFlowise({ from, to, fromKey, token, openAgents, print }: CopyOptions): Promise<number> {
  const source = createClient({ baseUrl: from, token: fromKey });
  const target = createClient({ baseUrl: to, token });
  let failures = 0;

  async function copy(kind: string, name: string, create: () => Promise<unknown>): Promise<void> {
    const outcome = await create().then(
      () => "copied",
      (error: unknown) => {
        if (!(error instanceof WeftApiError)) throw new UnreachableError(`${to} does not answer.`, { cause: error });
        if (error.status === conflict) return "is here already";
        failures += 1;
        return `NOT COPIED. ${error.message}`;
      },
    );
    print(`${kind.padEnd(9)} ${name}: ${outcome}`);
  }

  const agents = await read(from, () => source.listAgents());
  assertDecided(agents, openAgents);
  for (const variable of await read(from, () => source.listVariables())) {
    await copy("variable", variable.name, () => target.createVariable(toVariable(variable)));
  }
  for (const tool of await read(from, () => source.listTools())) {
    await copy("tool", tool.name, () => target.createTool(toTool(tool)));
  }
  for (const agent of agents) {
    if (!isCopied(agent)) {
      print(`agent     ${agent.name}: left. It is an assistant: create it here as an agent.`);
      continue;
    }
    const findings: string[] = [];
    await copy("agent", agent.name, async () => {
      await target.createAgent({ ...toAgent(agent), ...toAccess(agent, openAgents) });
      // The key that an agent is bound to is made last.
      const found = (await target.listAgentFindings({ id: agent.id })).filter(({ code }) => code !== "api-key-missing");
      findings.push(...found.map(({ level, message }) => `  ${level}: ${message}`));
    });
    for (const finding of findings) print(finding);
    print(`  access: ${describeAccess(agent, openAgents)}`);
  }
  await copyKeys(target, agents, print);
  return failures;
}

function isCopied({ type }: Agent): boolean {
  return type !== "ASSISTANT";
}

function assertDecided(agents: readonly Agent[], openAgents: OpenAgents | undefined): void {
  const open = agents.filter((agent) => isCopied(agent) && !agent.apikeyid).map(({ name }) => name);
  if (open.length === 0 || openAgents !== undefined) return;
  throw new UndecidedError(
    `Nothing was copied. These agents need no key there and answer everybody: ${open.join(", ")}. Choose with --open-agents open or --open-agents closed what they become here.`,
  );
}

/** A new key for each that agents need there, under its id: they are bound to it already, and closed until it is there. */
async function copyKeys(
  target: ReturnType<typeof createClient>,
  agents: readonly Agent[],
  print: CopyOptions["print"],
): Promise<void> {
  const bound = Map.groupBy(
    agents.filter((agent) => isCopied(agent) && agent.apikeyid),
    ({ apikeyid }) => apikeyid,
  );
  for (const [id, agentsOfKey] of bound) {
    const names = agentsOfKey.map(({ name }) => name).join(", ");
    try {
      const ids = agentsOfKey.map((agent) => agent.id);
      const { apiKey } = await target.createApiKey({ id, keyName: `For ${names}`.slice(0, 200), agents: ids });
      print(`key       for ${names}: ${apiKey} (shown this once: give it to their clients)`);
    } catch (error) {
      if (!(error instanceof WeftApiError)) continue;
      const missing = `NOT MADE, and nobody reaches them before another one is bound in their settings. ${error.message}`;
      print(`key       for ${names}: ${error.status === conflict ? "is here already" : missing}`);
    }
  }
}

function toAccess({ apikeyid }: Agent, openAgents: OpenAgents | undefined): Pick<Agent, "apikeyid" | "isPublic"> {
  if (apikeyid) return { apikeyid, isPublic: false };
  return { apikeyid: "", isPublic: openAgents === "open" };
}

function describeAccess({ apikeyid }: Agent, openAgents: OpenAgents | undefined): string {
  if (apikeyid) return "needs the key that it is bound to, as there";
  if (openAgents === "open") return "open to everybody, as there, once ALLOW_PUBLIC_FLOWS=true is set";
  return "closed: it was open to everybody there, and needs an API key here";
}

async function read<T>(from: string, list: () => Promise<T>): Promise<T> {
  try {
    return await list();
  } catch (cause) {
    const reason = cause instanceof WeftApiError ? cause.message : "It does not answer.";
    throw new UnreachableError(`${from} cannot be read. ${reason}`, { cause });
  }
}

function toVariable({ id, name, value, type }: Variable) {
  return { id, name, value, type };
}

function toTool({ id, name, description, color, iconSrc, schema, func }: Tool) {
  return { id, name, description, color, iconSrc, schema, func };
}

/** Its settings as far as they are set. Credentials are new here, so nothing that names one is taken along. */
function toAgent(agent: Agent) {
  const fields = agentFields.map((name) => [name, agent[name]] as const).filter(([, value]) => value !== null);
  return { ...(Object.fromEntries(fields) as Pick<Agent, (typeof agentFields)[number]>), id: agent.id };
}

async function main(args: string[]): Promise<number> {
  const { FLOWISE_API_KEY: fromKey, WEFT_TOKEN: token } = process.env;
  const { openAgents, positionals } = readArguments(args);
  const [from, to = "http://localhost:3000", ...more] = positionals;
  if (from === undefined || !URL.canParse(from) || !URL.canParse(to) || more.length > 0 || !fromKey || !token) {
    process.stderr.write(usage);
    return 2;
  }
  try {
    const print = (line: string) => console.log(line);
    const failures = await copyFromFlowise({ from, to, fromKey, token, openAgents, print });
    console.log("Not copied: credentials, chats and documents. Choose credentials in the builder.");
    return failures === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof UnreachableError) && !(error instanceof UndecidedError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return error instanceof UndecidedError ? 2 : 1;
  }
}

/** No positionals where the arguments are wrong: then the usage is printed. */
function readArguments(args: string[]): { openAgents: OpenAgents | undefined; positionals: string[] } {
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { "open-agents": { type: "string" } },
      allowPositionals: true,
    });
    const openAgents = values["open-agents"];
    if (openAgents === undefined || openAgents === "open" || openAgents === "closed")
      return { openAgents, positionals };
  } catch {
    // Said by the usage.
  }
  return { openAgents: undefined, positionals: [] };
}

process.exitCode = await main(process.argv.slice(2));
