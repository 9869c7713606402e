// Copies agent flows, tools and variables of a Flowise server into this one, over both APIs. Ids stay, so that what
// refers to them goes on working: FLOWISE_API_KEY=… WEFT_TOKEN=… npm run -s copy-from-flowise -- FROM [TO]
import { type Agent, createClient, type Tool, type Variable, WeftApiError } from "../packages/client/src/index.ts";

const usage = `Usage: FLOWISE_API_KEY=… WEFT_TOKEN=$(npm run -s token) npm run -s copy-from-flowise -- FROM [TO]

FROM is the address of the other server, TO that of this one, by default http://localhost:3000. What is here already, by
its id, is left as it is: after a failure run it again.
`;

type CopyOptions = { from: string; to: string; fromKey: string; token: string; print(line: string): void };

/** A server that cannot be asked, in a sentence. */
class UnreachableError extends Error {}

const conflict = 409;
const agentFields = [
  "name",
  "flowData",
  "type",
  "deployed",
  "isPublic",
  "chatbotConfig",
  "apiConfig",
  "category",
] as const;

/** Resolves with how many things could not be copied. Rejects with `UnreachableError`. */
async function copyFromFlowise({ from, to, fromKey, token, print }: CopyOptions): Promise<number> {
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

  for (const variable of await read(from, () => source.listVariables())) {
    await copy("variable", variable.name, () => target.createVariable(toVariable(variable)));
  }
  for (const tool of await read(from, () => source.listTools())) {
    await copy("tool", tool.name, () => target.createTool(toTool(tool)));
  }
  for (const agent of await read(from, () => source.listAgents())) {
    if (agent.type !== "AGENTFLOW") {
      print(`agent     ${agent.name}: left. It is a classic flow: draw it as an agent flow.`);
      continue;
    }
    const findings: string[] = [];
    await copy("agent", agent.name, async () => {
      await target.createAgent(toAgent(agent));
      const found = await target.listAgentFindings({ id: agent.id });
      findings.push(...found.map(({ level, message }) => `  ${level}: ${message}`));
    });
    for (const finding of findings) print(finding);
  }
  return failures;
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

/** Its settings as far as they are set. Keys and credentials are new here, so nothing that names one is taken along. */
function toAgent(agent: Agent) {
  const fields = agentFields.map((name) => [name, agent[name]] as const).filter(([, value]) => value !== null);
  return { ...(Object.fromEntries(fields) as Pick<Agent, (typeof agentFields)[number]>), id: agent.id };
}

async function main([from, to = "http://localhost:3000", ...more]: string[]): Promise<number> {
  const { FLOWISE_API_KEY: fromKey, WEFT_TOKEN: token } = process.env;
  if (from === undefined || !URL.canParse(from) || !URL.canParse(to) || more.length > 0 || !fromKey || !token) {
    process.stderr.write(usage);
    return 2;
  }
  try {
    const failures = await copyFromFlowise({ from, to, fromKey, token, print: (line) => console.log(line) });
    console.log("Not copied: credentials, API keys, chats and documents. Choose credentials in the builder.");
    return failures === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}

process.exitCode = await main(process.argv.slice(2));
