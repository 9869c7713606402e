import type { NoticeKind } from "@weft/schema";
import type { NoticeRow } from "./notice.store.ts";

type Told = Pick<NoticeRow, "kind" | "name" | "count" | "total" | "detail">;

const longestName = 200;

/** A name in one line, without what could control a terminal, the direction of text, or the head of a mail. */
export function plainName(name: string): string {
  const plain = name
    .normalize("NFC")
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  const characters = [...plain];
  return characters.length > longestName ? `${characters.slice(0, longestName).join("")}…` : plain;
}

const amounts: Readonly<Record<string, string>> = {
  runs: "runs",
  tokens: "tokens",
  dollars: "money",
  bytes: "storage",
};

const sentences: Readonly<Record<NoticeKind, (name: string, told: Told) => string>> = {
  "failed-runs": (name, { count, total }) => `${name}: ${count} of ${total ?? count} runs failed in the last hour.`,
  "budget-near": (name, told) => `${whose(name, told)} used ${told.count} % of today's budget for ${amountOf(told)}.`,
  "budget-spent": (name, told) => `${whose(name, told)} used up today's budget for ${amountOf(told)}.`,
  "callbacks-failing": (name, { count }) =>
    `${name}: ${count === 1 ? "a callback" : `${count} callbacks`} could not be delivered.`,
  "person-awaited": (name, { count }) =>
    `${name}: ${count === 1 ? "a run has" : `${count} runs have`} been waiting for a person.`,
  "hand-over": (name, { count }) =>
    `${name}: ${count === 1 ? "a conversation asks" : `${count} conversations ask`} for a person.`,
  "store-failing": (name, { count }) =>
    `${name}: ${count === 1 ? "a source" : `${count} sources`} could not be brought up to date.`,
  "schedule-failing": (name, { count }) =>
    count === 1
      ? `${name}: the last scheduled run was missed or failed.`
      : `${name}: the last ${count} scheduled runs were missed or failed.`,
  "channel-failing": (name) => `${name}: notices could not be sent for a day.`,
};

function whose(name: string, { detail }: Told): string {
  return detail.startsWith("visitors/") ? `Visitors of ${name} have` : `${name} has`;
}

function amountOf({ detail }: Told): string {
  return amounts[detail.split("/")[1] ?? ""] ?? "runs";
}

/** One sentence of names and counts, in English. */
export function tellNotice(told: Told): string {
  return sentences[told.kind](`“${plainName(told.name)}”`, told);
}

/** The builder's page, as a path. */
export function linkOf({ kind, subjectId }: Pick<NoticeRow, "kind" | "subjectId">): string {
  const id = encodeURIComponent(subjectId);
  switch (kind) {
    case "failed-runs":
      return `/executions?agentId=${id}&state=ERROR`;
    case "budget-near":
    case "budget-spent":
      return `/agents/${id}/settings`;
    case "callbacks-failing":
      return "/system";
    case "person-awaited":
      return "/inbox";
    case "hand-over":
      return `/conversations?agent=${id}&state=hand-over`;
    case "store-failing":
      return `/document-stores/${id}`;
    case "schedule-failing":
      return `/executions?agentId=${id}`;
    case "channel-failing":
      return "/settings/notices";
  }
}
