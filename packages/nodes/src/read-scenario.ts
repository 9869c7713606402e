import { findJson } from "./read-json.ts";

type Choice = { id: string; description: string };

/**
 * The id of the scenario that a model's answer names: as JSON, as a bare word, or by its description, which models
 * prefer to ids. Undefined when it names none, or more than one.
 */
export function readScenario(answer: string, choices: readonly Choice[]): string | undefined {
  const data = findJson(answer);
  const named = data && !Array.isArray(data) ? (data.scenario ?? data.output) : undefined;
  const said = typeof named === "string" ? named : answer;
  const words = normalise(said);
  if (words === "") return undefined;
  if (choices.some(({ id }) => id === said)) return said;
  const exact = choices.filter(({ id, description }) => [id, description].some((name) => normalise(name) === words));
  if (exact.length > 0) return only(exact);
  return only(choices.filter(({ description }) => includesWords(words, normalise(description))));
}

function only(found: readonly Choice[]): string | undefined {
  return found.length === 1 ? found[0]?.id : undefined;
}

function includesWords(words: string, description: string): boolean {
  return description !== "" && (` ${words} `.includes(` ${description} `) || description.startsWith(`${words} `));
}

/** Letters and digits alone, in lower case. */
function normalise(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
