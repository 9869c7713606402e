import type { Document } from "@weft/schema";
import type { RunInfo } from "../node-type.ts";
import type { ToolOutcome } from "./agent-loop.ts";

const maxNames = 10;
const maxNameCharacters = 100;

/** What a model had been told when it wanted its first calls: what the run was asked, and the documents with it. */
export function sourcesOfInput({ input }: Pick<RunInfo, "input">): string[] {
  const asked = input.webhook ? "webhook request" : input.form ? "form" : "question";
  const documents = (input.uploads ?? []).filter(({ kind }) => kind === "document").map(({ name }) => name);
  return [asked, ...namesOf("documents", documents)];
}

/** What it was told since: the results of the round before, and the documents that they were taken from. */
export function sourcesOfResults(outcomes: readonly ToolOutcome[]): string[] {
  const tools = outcomes.map(({ call }) => `result of ${call.name}`);
  const documents = outcomes.flatMap(({ sourceDocuments }) => sourceDocuments.map(documentName));
  return [...new Set(tools), ...namesOf("documents", documents)];
}

function namesOf(what: string, all: readonly string[]): string[] {
  const names = [...new Set(all)];
  if (names.length === 0) return [];
  const shown = names.slice(0, maxNames).map((name) => name.slice(0, maxNameCharacters));
  const more = names.length - shown.length;
  return [`${what} ${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`];
}

function documentName({ metadata }: Document): string {
  const { source, fileName, title } = metadata;
  const name = [source, fileName, title].find((value) => typeof value === "string" && value !== "");
  return typeof name === "string" ? name : "without a name";
}
