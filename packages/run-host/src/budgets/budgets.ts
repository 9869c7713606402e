import { hash } from "node:crypto";
import type { ReadableDatabase, Tables, WritableDatabase } from "@weft/database";
import { budgetSpent } from "@weft/engine";
import { keptWith } from "@weft/engine/node";
import type { BudgetedRun, ModelUse, RunBudgets, RunUse } from "@weft/engine/ports/budget";
import type { WallClock } from "@weft/engine/ports/clock";
import {
  type Budget,
  type BudgetScope,
  budgetScopes,
  type DayCeilings,
  dayAmounts,
  defaultBudget,
  type RunBudgetFacts,
  type Usage,
  WeftError,
} from "@weft/schema";
import type { Kysely } from "kysely";
import { type CostOf, toCostNanos } from "../journal/index.ts";
import {
  type Amount,
  type Amounts,
  type BudgetAccount,
  correct,
  findRow,
  openRun,
  removeOld,
  removeRows,
  shareRun,
  takeFrom,
} from "./budget.store.ts";
import { createHostLines } from "./host-lines.ts";

export type BudgetsDeps = {
  database: ReadableDatabase & WritableDatabase;
  clock: WallClock;
  /** The agent's current budget. */
  budgetOf(agentId: string): Promise<Budget>;
  costOf: CostOf;
  /** Reports refusals and runs that were ended. */
  budgetRefused(refusal: BudgetRefusal): void;
};

/** `scope`: whose daily budget it was, or the run's own limits. */
export type BudgetRefusal = { scope: BudgetScope | "run"; amount: string };

export type Spender = { agentId: string; chatId: string; isVisitor: boolean; network?: string | undefined };

export type AdmittedRunBudget = {
  /** For its journal; undefined: only the platform's limits apply. */
  budget: RunBudgetFacts | undefined;
  /** Call if it does not start after all. */
  withdraw(): Promise<void>;
};

/**
 * Usage and limits of runs: per agent, and for visitors per chat and address, by day; and per run with all that it
 * starts. All of it is in the database, where each process updates it with one statement at a time.
 */
export type Budgets = RunBudgets & {
  /** Counts a run before it starts. Rejects with `budget-…` and 429, in which case nothing is counted. */
  admit(run: Spender & { runId: string; sizeBytes: number; mayTake: Budget }): Promise<AdmittedRunBudget>;
  /**
   * Takes the cost of a request besides a run, such as reading an answer aloud, once per name. Undefined: it was taken
   * before, and nothing is taken now. Rejects like `admit`.
   */
  spendOnce(thing: string, spender: Spender, cost: { tokens: number }): Promise<SpentOnce | undefined>;
  /** For the transaction that deletes these runs at their person's request: removes what they and their chats took. */
  forget(tx: Kysely<Tables>, runs: readonly { id: string; agentId: string; chatId: string }[]): Promise<void>;
  /** Removes past days, and runs from long ago. */
  prune(): Promise<void>;
};

/** `refund`: nothing was delivered for it. `allowAgain`: it may be taken again, and its cost stays counted. */
export type SpentOnce = { refund(): Promise<void>; allowAgain(): Promise<void> };

const dayMs = 86_400_000;
const keptRunsMs = 40 * dayMs;
const isolation = { isolation: "read-committed" } as const;

export function createBudgets(deps: BudgetsDeps): Budgets {
  const { database, clock, costOf, budgetRefused: refused } = deps;
  const today = createCalendar(clock);
  const nanosOf = ({ model, usage }: ModelUse) => toCostNanos(costOf(model, usage) ?? 0) ?? 0;
  const write = <T>(work: (tx: Kysely<Tables>) => Promise<T>) => database.write(work, isolation);

  async function accountsOf(names: readonly string[]): Promise<Account[]> {
    const day = today();
    const find = async (name: string) => toAccounts(name, await deps.budgetOf(parseName(name).agentId), day);
    return (await Promise.all(inOneOrder(names).map(find))).flat();
  }

  async function takeAll(tx: Kysely<Tables>, accounts: readonly Account[], adds: Amounts): Promise<void> {
    const needs = { ...adds, tokens: Math.max(1, adds.tokens ?? 0), costNanos: Math.max(1, adds.costNanos ?? 0) };
    for (const account of accounts) {
      const amount = await takeFrom(tx, account, adds, needs);
      if (amount !== undefined) throw new DaySpent(account, amount);
    }
  }

  function tell(cause: unknown, toError: (spent: DaySpent) => WeftError): never {
    if (!(cause instanceof DaySpent)) throw cause;
    const error = toError(cause);
    refused({ scope: cause.account.scope, amount: nameOfDay(cause.amount) });
    throw error;
  }

  async function namesOfRun(rootRunId: string): Promise<string[]> {
    const row = await findRow(database.read, { name: runName(rootRunId), day: "" });
    return row === undefined ? [] : parseAccounts(row.accounts);
  }

  return {
    async admit({ runId, sizeBytes, mayTake, ...spender }) {
      const limits = ownLimitsOf(mayTake.run);
      const day = today();
      const names = namesOf(spender, day);
      const accounts = inOneOrder(names).flatMap((name) => toAccounts(name, mayTake, day));
      if (accounts.length === 0) return { budget: limits && { limits }, withdraw: async () => undefined };
      const adds = { runs: 1, bytes: sizeBytes };
      const tree = { name: runName(runId), changedDay: day };
      await write(async (tx) => {
        await takeAll(tx, accounts, adds);
        await openRun(tx, tree, names);
      }).catch((cause: unknown) => tell(cause, ({ account, amount }) => dayError(account, amount, clock.now())));
      return {
        budget: { ...(limits && { limits }), isCounted: true },
        withdraw: () => write((tx) => correctAll(tx, accounts, { runs: -1, bytes: -sizeBytes })),
      };
    },
    async spendOnce(thing, spender, cost) {
      const accounts = await accountsOf(namesOf(spender, today()));
      const once = { name: `once/${hashed(thing)}`, day: "", changedDay: today(), most: { runs: 1 } };
      const isTaken = await write(async (tx) => {
        if (await takeFrom(tx, once, { runs: 1 })) return false;
        await takeAll(tx, accounts, cost);
        return true;
      }).catch((cause: unknown) => tell(cause, ({ account, amount }) => dayError(account, amount, clock.now())));
      if (!isTaken) return undefined;
      const allowAgain = () => write((tx) => correct(tx, once, { runs: -1 }));
      const refund = () => write((tx) => correctAll(tx, accounts, { tokens: -cost.tokens }));
      return { allowAgain, refund: () => allowAgain().then(refund) };
    },
    async isShared(rootRunId) {
      const row = await findRow(database.read, { name: runName(rootRunId), day: "" });
      return Number(row?.runs ?? 0) > 0;
    },
    async share({ rootRunId }, used) {
      await write((tx) => shareRun(tx, { name: runName(rootRunId), changedDay: today() }, used));
    },
    async take({ rootRunId, most }, use, model) {
      const accounts = model === undefined ? [] : await accountsOf(await namesOfRun(rootRunId));
      const tree = { name: runName(rootRunId), day: "", changedDay: today(), most };
      const adds = { tokens: use.tokens, costNanos: model === undefined ? 0 : nanosOf(model) };
      const spent = await write(async (tx) => {
        const amount = await takeFrom(tx, tree, { ...use });
        if (amount === undefined) await takeAll(tx, accounts, adds);
        return amount;
      }).catch((cause: unknown) => tell(cause, ({ account, amount }) => spentInRun(account, amount)));
      if (spent === undefined) return;
      refused({ scope: "run", amount: spent });
      throw budgetSpent(isOfRun(spent) ? spent : "tokens", most[isOfRun(spent) ? spent : "tokens"]);
    },
    async settle({ rootRunId }: BudgetedRun, reserved: ModelUse, used: Usage) {
      const accounts = await accountsOf(await namesOfRun(rootRunId));
      const changes = {
        tokens: used.totalTokens - reserved.usage.totalTokens,
        costNanos: nanosOf({ ...reserved, usage: used }) - nanosOf(reserved),
      };
      await write(async (tx) => {
        await correct(tx, { name: runName(rootRunId), day: "" }, { tokens: changes.tokens });
        await correctAll(tx, accounts, changes);
      });
    },
    limitHttp: createHostLines(),
    forget: forgetRuns,
    prune: () => write((tx) => removeOld(tx, oldBefore(clock.now()))),
  };
}

type Account = BudgetAccount & { scope: BudgetScope; ceilings: DayCeilings };

/** The day's budget has no room left. Rolls back the write in which it is thrown. */
class DaySpent extends Error {
  readonly account: Account;
  readonly amount: Amount;

  constructor(account: Account, amount: Amount) {
    super("A budget is spent.");
    this.account = account;
    this.amount = amount;
  }
}

async function correctAll(tx: Kysely<Tables>, accounts: readonly Account[], changes: Amounts): Promise<void> {
  for (const account of accounts) await correct(tx, account, changes);
}

const runName = (runId: string) => `run/${runId}`;

/** The same order for everyone: two writers of the same accounts never deadlock. */
function inOneOrder(names: readonly string[]): string[] {
  return names.toSorted();
}

/** The account of this name, if it has a daily limit. */
function toAccounts(name: string, budget: Budget, day: string): Account[] {
  const { scope } = parseName(name);
  const ceilings = budget.day[scope];
  const most = toMost(ceilings);
  return Object.keys(most).length === 0 ? [] : [{ name, day, changedDay: day, scope, ceilings, most }];
}

/** Returns the current day, formatted once a day, since every run asks for it. */
function createCalendar(clock: WallClock): () => string {
  let day = { startsAt: Number.NaN, name: "" };
  return () => {
    const moment = clock.now();
    const startsAt = moment - (moment % dayMs);
    if (startsAt !== day.startsAt) day = { startsAt, name: dayOf(moment) };
    return day.name;
  };
}

/** In UTC. */
function dayOf(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}

function hashed(text: string): string {
  return hash("sha256", text, "base64url");
}

/** Chats and addresses are stored as hashes; addresses hash differently each day. */
function namesOf({ agentId, chatId, isVisitor, network }: Spender, day: string): string[] {
  const id = agentId.toLowerCase();
  if (!isVisitor) return [`agent/${id}`];
  return [
    `agent/${id}`,
    `visitors/${id}`,
    chatName(id, chatId),
    ...(network === undefined ? [] : [`address/${id}/${hashed(`${day} ${network}`)}`]),
  ];
}

function oldBefore(now: number): Parameters<typeof removeOld>[1] {
  return { day: dayOf(now - dayMs), run: dayOf(now - keptRunsMs) };
}

function forgetRuns(tx: Kysely<Tables>, runs: Parameters<Budgets["forget"]>[1]): Promise<void> {
  return removeRows(
    tx,
    runs.flatMap(({ id, agentId, chatId }) => [runName(id), chatName(agentId, chatId)]),
  );
}

function chatName(agentId: string, chatId: string): string {
  return `chat/${agentId.toLowerCase()}/${hashed(chatId)}`;
}

function parseName(name: string): { scope: BudgetScope; agentId: string } {
  const [first, agentId = ""] = name.split("/");
  return { scope: budgetScopes.find((scope) => scope === first) ?? "agent", agentId };
}

function parseAccounts(text: string): string[] {
  const names: unknown = JSON.parse(text);
  return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
}

const nanosADollar = 1_000_000_000;

function toMost({ runs, tokens, dollars, bytes }: DayCeilings): Amounts {
  return {
    ...(runs !== undefined && { runs }),
    ...(tokens !== undefined && { tokens }),
    ...(dollars !== undefined && { costNanos: Math.min(Math.round(dollars * nanosADollar), Number.MAX_SAFE_INTEGER) }),
    ...(bytes !== undefined && { bytes }),
  };
}

/** Limits that differ from the defaults. */
const ownLimitsOf = keptWith((run: Budget["run"]): NonNullable<RunBudgetFacts["limits"]> | undefined => {
  const own = Object.entries(run).filter(([name, value]) =>
    Object.entries(defaultBudget.run).every(([usual, most]) => usual !== name || most !== value),
  );
  return own.length === 0 ? undefined : Object.fromEntries(own);
});

function isOfRun(amount: Amount): amount is keyof RunUse & Amount {
  return amount === "modelCalls" || amount === "toolCalls" || amount === "steps" || amount === "tokens";
}

function nameOfDay(amount: Amount): (typeof dayAmounts)[number] {
  return amount === "costNanos" ? "dollars" : (dayAmounts.find((name) => name === amount) ?? "runs");
}

const whose: Readonly<Record<BudgetScope, string>> = {
  agent: "This agent",
  visitors: "This agent, by all of its visitors together,",
  chat: "This chat",
  address: "Your network",
};

const codes = {
  runs: "budget-runs",
  tokens: "budget-tokens-of-day",
  dollars: "budget-money",
  bytes: "budget-bytes",
} as const;

function dayError({ scope, ceilings }: Account, amount: Amount, now: number): WeftError {
  const name = nameOfDay(amount);
  const retryAfterSeconds = Math.max(1, Math.ceil((dayMs - (now % dayMs)) / 1_000));
  return new WeftError(codes[name], { params: { of: whose[scope], limit: ceilings[name] ?? 0, retryAfterSeconds } });
}

const words = { runs: "runs", tokens: "tokens", dollars: "US dollars", bytes: "bytes" } as const;

function spentInRun({ scope, ceilings }: Account, amount: Amount): WeftError {
  const name = nameOfDay(amount);
  const reason = `${whose[scope]} may take ${ceilings[name] ?? 0} ${words[name]} in a day.`;
  return new WeftError("budget-spent", { params: { reason } });
}
