import { z } from "zod";
import { parseJson } from "./json.ts";

/** What a run and everything that it starts may use together. */
export const runCeilingsOf = <T extends z.ZodType>(amount: T) => ({
  modelCalls: amount,
  toolCalls: amount,
  tokens: amount,
  /** Includes steps of flows, passes of loops and items of sub-flows. */
  steps: amount,
  /** From the start, or the resumption. */
  minutes: amount,
});

/** Daily limits; the day is in UTC. */
const dayCeilingsOf = <T extends z.ZodType>(amount: T) => ({
  runs: amount,
  tokens: amount,
  /** US dollars for model calls with known prices. */
  dollars: amount,
  /** Stored data that runs bring: questions, forms, histories and files. */
  bytes: amount,
});

const amount = z.number().min(0).max(1e12);
const strict = amount.optional();

/** Limits set by an operator or an agent's owner; absent ones fall back to the defaults. */
const strictRun = z.strictObject(runCeilingsOf(strict));
const strictDay = z.strictObject(dayCeilingsOf(strict));
export const budgetSettingsSchema = z.strictObject({
  run: strictRun.optional(),
  /** Of one agent, for all callers together. */
  agent: strictDay.optional(),
  visitors: z
    .strictObject({
      questionCharacters: strict,
      chat: strictDay.optional(),
      address: strictDay.optional(),
      /** All visitors of one agent. */
      agent: strictDay.optional(),
    })
    .optional(),
});
export type BudgetSettings = z.infer<typeof budgetSettingsSchema>;

/** In an agent's settings an invalid value counts as absent. Forms send numbers as text. */
const lenient = z.coerce.number().pipe(amount).optional().catch(undefined);
const lenientDay = z.object(dayCeilingsOf(lenient)).optional().catch(undefined);
const ofAgent = z.object({
  budget: z
    .object({
      run: z.object(runCeilingsOf(lenient)).optional().catch(undefined),
      agent: lenientDay,
      visitors: z
        .object({ questionCharacters: lenient, chat: lenientDay, address: lenientDay, agent: lenientDay })
        .optional()
        .catch(undefined),
    })
    .optional()
    .catch(undefined),
});

/** Reads `budget` from an agent's `apiConfig`. */
export function readBudget(apiConfig: string): BudgetSettings {
  const read = ofAgent.safeParse(parseJson(apiConfig));
  return (read.success ? read.data.budget : undefined) ?? {};
}

export type RunCeilings = { modelCalls: number; toolCalls: number; tokens: number; steps: number; minutes: number };

export const dayAmounts = ["runs", "tokens", "dollars", "bytes"] as const;
/** An absent amount is unlimited. */
export type DayCeilings = Partial<Record<(typeof dayAmounts)[number], number>>;

/** Whose day is counted: the agent's for all callers, and for its visitors all of them, one chat and one address. */
export const budgetScopes = ["agent", "visitors", "chat", "address"] as const;
export type BudgetScope = (typeof budgetScopes)[number];

/** The effective budget of an agent. */
export type Budget = {
  run: RunCeilings;
  day: Readonly<Record<BudgetScope, DayCeilings>>;
  /** Longest question of a visitor. */
  questionCharacters: number;
};

const mb = 1_024 ** 2;

/** Applies if neither the operator nor the agent sets a limit. */
export const defaultBudget: Budget = {
  run: { modelCalls: 100, toolCalls: 500, tokens: 2_000_000, steps: 10_000, minutes: 15 },
  day: {
    agent: {},
    visitors: { runs: 20_000, tokens: 50_000_000, dollars: 100, bytes: 1_024 * mb },
    chat: { runs: 500, tokens: 2_000_000, dollars: 5, bytes: 100 * mb },
    address: { runs: 2_000, tokens: 5_000_000, dollars: 10, bytes: 200 * mb },
  },
  questionCharacters: 20_000,
};

/** The agent's own amounts, else the defaults, capped by the operator's. */
export function budgetOf(own: BudgetSettings, ceiling: BudgetSettings = {}): Budget {
  const { visitors = {} } = own;
  const { visitors: most = {} } = ceiling;
  const { day } = defaultBudget;
  return {
    run: { ...defaultBudget.run, ...within({ ...defaultBudget.run, ...given(own.run) }, ceiling.run) },
    day: {
      agent: within({ ...day.agent, ...given(own.agent) }, ceiling.agent),
      visitors: within({ ...day.visitors, ...given(visitors.agent) }, most.agent),
      chat: within({ ...day.chat, ...given(visitors.chat) }, most.chat),
      address: within({ ...day.address, ...given(visitors.address) }, most.address),
    },
    questionCharacters: Math.min(
      visitors.questionCharacters ?? defaultBudget.questionCharacters,
      most.questionCharacters ?? Number.POSITIVE_INFINITY,
    ),
  };
}

type Amounts = Record<string, number | undefined>;

function given(amounts: Amounts = {}): Record<string, number> {
  const entries = Object.entries(amounts).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return Object.fromEntries(entries);
}

function within(amounts: Record<string, number>, ceiling: Amounts = {}): Record<string, number> {
  const most = given(ceiling);
  const names = new Set([...Object.keys(amounts), ...Object.keys(most)]);
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      Math.min(amounts[name] ?? Number.POSITIVE_INFINITY, most[name] ?? Number.POSITIVE_INFINITY),
    ]),
  );
}
