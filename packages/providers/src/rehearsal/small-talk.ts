import type { ModelTool } from "@weft/engine";
import { findAction, toWords } from "./words.ts";

const greeting =
  /^\W*(?:hi|hello|hey|greetings|good (?:morning|afternoon|evening|day)|how are you|how do you do|nice to meet you|thanks?|thank you|bye|goodbye|see you)\b/i;
const howAreYou = /\bhow (?:are|do) you\b/i;
const thanks = /^\W*thank/i;
const farewell = /^\W*(?:bye|goodbye|see you)/i;
const abilities =
  /\bwhat (?:else )?(?:can|could|do) you (?:do|help|offer|know)\b|\bhow can you help\b|\bwho are you\b|\bhelp(?: me)?\W*$/i;
const clock =
  /\b(?:what(?:'s| is)?|which|tell me)\b(?: the)?(?: current)? (?:date|time|day|weekday|year|month)\b(?= is it| is today| now| today|\W*$)|\btoday'?s date\b|\bwhat day\b/i;
const clockWord = /^(?:date|time|datetime|clock)$/;

type Heard = { text: string; system: string; tools: readonly ModelTool[] };

/** An answer to what no tool is needed for: the time, a greeting, what the model can do. Undefined for everything else. */
export function answerSmallTalk({ text, system, tools }: Heard): string | undefined {
  if (clock.test(text) && !tools.some(isClock)) return tellTime(system);
  if (abilities.test(text)) return listAbilities(tools);
  // A greeting before a wish is a wish.
  if (!greeting.test(text) || findAction(text.replace(greeting, "")) !== undefined) return undefined;
  if (farewell.test(text)) return "Goodbye!";
  if (thanks.test(text)) return "You are welcome.";
  return `${howAreYou.test(text) ? "I am fine, thank you for asking." : "Hello!"} ${listAbilities(tools)}`;
}

/** What the model says when no tool fits: what it has, and what to tell it. */
export function askForMore(tools: readonly ModelTool[]): string {
  if (tools.length === 0) return "I cannot do that: I have no tools. I have: none. Add an integration to the agent.";
  const names = tools.map(({ name }) => name).join(", ");
  return `I could not match that to one of my tools. I have: ${names}. Name what you want to do, and with what.`;
}

/** From the first date and time in the system messages, where `{{ current_date_time }}` puts it. */
function tellTime(system: string): string {
  const [moment] = /\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?/.exec(system) ?? [];
  const at = new Date(moment ?? "");
  if (Number.isNaN(at.getTime())) {
    return "I was not told the time. Put {{ current_date_time }} into the agent's system message.";
  }
  const format = { dateStyle: "full", timeStyle: "short", timeZone: "UTC" } as const;
  return `It is ${new Intl.DateTimeFormat("en-GB", format).format(at)} (UTC).`;
}

function isClock({ name }: ModelTool): boolean {
  return toWords(name).some((word) => clockWord.test(word));
}

function listAbilities(tools: readonly ModelTool[]): string {
  if (tools.length === 0) return "I have no tools: I only repeat rules. Add an integration, or connect a model.";
  const listed = tools.map(({ name, description }) => `- ${name}: ${description.split("\n")[0]?.slice(0, 150)}`);
  return `I can use these tools:\n${listed.join("\n")}`;
}
