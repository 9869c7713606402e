import { type ParseArgsOptionsConfig, parseArgs } from "node:util";

/** The command line cannot be used; the message says why. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UsageError";
  }
}

/** How often and how long is measured, and where the figures go besides the screen. */
export type Size = { rounds: number; seconds: number; isQuick: boolean; jsonFile?: string };

/** Measures this repository's Weft. `only`: names of scenarios; empty: all. */
export type FiguresCommand = Size & {
  kind: "figures";
  postgresUrl?: string;
  isLong: boolean;
  /** Compares with the last release, in place of measuring everything. */
  isCheck: boolean;
  only: readonly string[];
};

/** Measures a server that runs somewhere. `flowFile`: an exported flow, stored for the run where no agent is given. */
export type AgainstCommand = Size & {
  kind: "against";
  url: string;
  key?: string;
  agentId?: string;
  flowFile?: string;
  modelUrl?: string;
};

const options = {
  postgres: { type: "string" },
  quick: { type: "boolean", default: false },
  long: { type: "boolean", default: false },
  check: { type: "boolean", default: false },
  only: { type: "string" },
  json: { type: "string" },
  seconds: { type: "string" },
  rounds: { type: "string" },
  against: { type: "string" },
  key: { type: "string" },
  agent: { type: "string" },
  flow: { type: "string" },
  model: { type: "string" },
} satisfies ParseArgsOptionsConfig;

export const usage = `npm run bench -- [options]              this repository's server, on SQLite and PostgreSQL
npm run bench -- --against URL [options] any server that speaks Flowise's API

  --quick            one round of 1 s, without waits: under a minute
  --seconds N        length of each load (3; quick 1)
  --rounds N         rounds, of which the median is printed (3; quick 1)
  --json FILE        the figures of every round, too
  --only NAME,NAME   some figures: predictions, imported, tool, latency, first-token, statements, read, list,
                     executions, messages, create, start, memory, disk, growth
  --postgres URL     a PostgreSQL server, for a database of its own (TEST_POSTGRES_URL; without either SQLite alone)
  --check            this server beside the last release, in turns, 5 rounds; fails if it is more than 10 % worse
  --long             growth, too: the same with 100,000 agents, runs and messages

  --against URL      the server's address, as http://127.0.0.1:3000
  --key KEY          an API key of it
  --agent ID         the agent to ask; or
  --flow FILE        an exported flow, stored on the server as long as the bench runs
  --model URL        the model that the agent asks, as http://127.0.0.1:9100/v1, to be measured beside it`;

/** What a command line asks for, after the names of Node and of the script. Throws `UsageError`. */
export function readArguments(args: readonly string[], env: Readonly<Record<string, string | undefined>>) {
  const values = parse(args);
  const isQuick = values.quick;
  const usualRounds = isQuick ? 1 : values.check ? 5 : 3;
  const size: Size = {
    isQuick,
    rounds: readNumber("rounds", values.rounds, usualRounds),
    seconds: readNumber("seconds", values.seconds, isQuick ? 1 : 3),
    ...(values.json !== undefined && { jsonFile: values.json }),
  };
  return values.against === undefined ? toFigures(values, size, env) : toAgainst(values.against, values, size);
}

type Values = ReturnType<typeof parse>;

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, strict: true }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function toFigures(values: Values, size: Size, env: Readonly<Record<string, string | undefined>>): FiguresCommand {
  refuse(values, ["key", "agent", "flow", "model"], "needs --against URL");
  const postgresUrl = values.postgres || env.TEST_POSTGRES_URL;
  if (postgresUrl) readUrl("postgres", postgresUrl, ["postgres:", "postgresql:"]);
  return {
    ...size,
    kind: "figures",
    isLong: values.long,
    isCheck: values.check,
    only: values.only?.split(",").map((name) => name.trim()) ?? [],
    ...(postgresUrl && { postgresUrl }),
  };
}

function toAgainst(against: string, values: Values, size: Size): AgainstCommand {
  refuse(values, ["postgres", "only"], "does not go with --against");
  if (values.long || values.check) throw new UsageError("--long and --check do not go with --against.");
  if (values.agent === undefined && values.flow === undefined) {
    throw new UsageError("Give --agent ID, or --flow FILE with an exported flow.");
  }
  if (values.agent !== undefined && values.flow !== undefined) {
    throw new UsageError("Give either --agent or --flow.");
  }
  const { key, agent: agentId, flow: flowFile, model } = values;
  return {
    ...size,
    kind: "against",
    url: readUrl("against", against, ["http:", "https:"]),
    ...(key !== undefined && { key }),
    ...(agentId !== undefined && { agentId }),
    ...(flowFile !== undefined && { flowFile }),
    ...(model !== undefined && { modelUrl: readUrl("model", model, ["http:"]) }),
  };
}

function refuse(values: Values, names: readonly (keyof Values)[], reason: string): void {
  const given = names.find((name) => values[name] !== undefined);
  if (given !== undefined) throw new UsageError(`--${given} ${reason}.`);
}

function readNumber(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  const value = Number(text);
  if (text.trim() === "" || !(value > 0)) throw new UsageError(`--${name} must be a number above 0, not "${text}".`);
  return name === "rounds" ? Math.ceil(value) : value;
}

/** The address without a slash at its end. */
function readUrl(name: string, text: string, protocols: readonly string[]): string {
  const url = URL.parse(text);
  if (url === null || !protocols.includes(url.protocol)) {
    const expected = protocols.map((protocol) => `${protocol}//`).join(" or ");
    throw new UsageError(`--${name} must be an address that starts with ${expected}, not "${text}".`);
  }
  return text.replace(/\/+$/, "");
}
