import { parseJson } from "@weft/schema";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import type { AgentPolicies } from "../access/index.ts";
import type { Context } from "../context.ts";
import type { Needs } from "../feature.ts";

/** The chat client policies from agents' settings. Changes apply as soon as they are saved. */
export function createAgentPolicies(
  { config: { publicRateLimit } }: Context,
  { agentReader, publicAccess }: Needs<"agentReader" | "publicAccess">,
): AgentPolicies {
  const [readOrigins, readLimit] = [keepByText(parseOriginSettings), keepByText(parseRateLimit)];
  return {
    allowOpenAgents: publicAccess.isAllowed,
    openLimit: publicRateLimit === 0 ? undefined : { requests: publicRateLimit, windowMs: 60_000 },
    async find(agentId) {
      const agent = await agentReader.findSettings(agentId.toLowerCase());
      return (
        agent && {
          agentId: agent.id,
          agent,
          isOpen: agent.isPublic === 1 && (await publicAccess.isAllowed()),
          predictionLimit: readLimit(agent.apiConfig),
          ...readOrigins(agent.chatbotConfig),
        }
      );
    },
  };
}

const keptCharacters = 4 * 1_024 * 1_024;

/** Caches the parsed result of recent texts: every request to an agent asks again. */
export function keepByText<T>(parse: (text: string) => T): (text: string) => T {
  const kept = new LRUCache<string, { said: T }>({
    maxSize: keptCharacters,
    sizeCalculation: (_said, text) => text.length + 100,
  });
  return (text) => {
    const known = kept.get(text) ?? { said: parse(text) };
    kept.set(text, known);
    return known.said;
  };
}

/** An agent's settings are JSON text of any shape: invalid parts count as absent. */
const jsonObject = z
  .string()
  .transform((text): unknown => parseJson(text))
  .pipe(z.record(z.string(), z.unknown()).catch({}));

const originSettings = jsonObject.pipe(
  z.object({
    allowedOrigins: z.array(z.unknown()).catch([]),
    allowedOriginsError: z.string().min(1).max(2_000).optional().catch(undefined),
  }),
);

/** Forms send numbers as text. The bound keeps sums of milliseconds exact. */
const positive = z.coerce.number().positive().max(1e9);
const rateLimitSettings = jsonObject.pipe(
  z.object({
    rateLimit: z
      .object({
        status: z.unknown().optional(),
        limitMax: positive.pipe(z.int()),
        limitDuration: positive,
        limitMsg: z.string().min(1).max(2_000),
      })
      .optional()
      .catch(undefined),
  }),
);

const abandonedRunSettings = jsonObject.pipe(
  z.object({
    abandonedRuns: z
      .object({ endAfterSeconds: z.union([z.literal(false), positive]).catch(60) })
      .catch({ endAfterSeconds: 60 }),
  }),
);

type OriginSettings = {
  /** Such as `example.com:8080`; empty: every host. */
  allowedHosts: string[];
  /** Explicitly with `*`, not by absence. */
  allowsEveryHost: boolean;
  originMessage?: string | undefined;
};

/** Which pages may use an agent, by its `chatbotConfig`. An entry that is not an address allows nobody. */
export function parseOriginSettings(chatbotConfig: string): OriginSettings {
  const { allowedOrigins, allowedOriginsError } = originSettings.parse(chatbotConfig);
  const entries = allowedOrigins.map((entry) => String(entry).trim()).filter((entry) => entry !== "");
  const allowsEveryHost = entries.includes("*");
  const allowedHosts = allowsEveryHost ? [] : entries.map(toHost);
  return { allowedHosts, allowsEveryHost, originMessage: allowedOriginsError };
}

/** How often one client may ask an agent, by its `apiConfig`; undefined if no limit is active. */
export function parseRateLimit(apiConfig: string) {
  const { rateLimit } = rateLimitSettings.parse(apiConfig);
  if (rateLimit === undefined || rateLimit.status === false) return undefined;
  const { limitMax: requests, limitDuration: seconds, limitMsg: message } = rateLimit;
  return { requests, windowMs: seconds * 1_000, message };
}

/**
 * How long a visitor's run continues without a listener, by its agent's `apiConfig`: 60 s, or as `abandonedRuns: {
 * "endAfterSeconds": … }` says; undefined, for `false`: to its end.
 */
export function parseAbandonedRuns(apiConfig: string): number | undefined {
  const { endAfterSeconds } = abandonedRunSettings.parse(apiConfig).abandonedRuns;
  return endAfterSeconds === false ? undefined : endAfterSeconds * 1_000;
}

function toHost(entry: string): string {
  const address = entry.includes("://") ? entry : `https://${entry}`;
  return URL.canParse(address) ? new URL(address).host : entry;
}
