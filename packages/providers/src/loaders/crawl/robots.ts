/** What a site asks of programs that read it. */
export type Robots = {
  /** `path` with its query. */
  isAllowed(path: string): boolean;
  /** 0 where the site says nothing. */
  crawlDelayMs: number;
  sitemaps: string[];
};

type Rule = { isAllowed: boolean; pattern: string };
type Group = { agents: string[]; rules: Rule[]; delaySeconds: number | undefined };

/** Reads robots.txt (RFC 9309), for the agent of that name. Lines that are none are passed over. */
export function parseRobots(text: string, agent: string): Robots {
  const { groups, sitemaps } = readGroups(text.slice(0, maxCharacters));
  const own = groups.filter(({ agents }) => agents.includes(agent.toLowerCase()));
  const applying = own.length > 0 ? own : groups.filter(({ agents }) => agents.includes("*"));
  const rules = applying.flatMap((group) => group.rules);
  const delaySeconds = applying.find((group) => group.delaySeconds !== undefined)?.delaySeconds ?? 0;
  return { isAllowed: (path) => isAllowedBy(rules, path), crawlDelayMs: delaySeconds * 1_000, sitemaps };
}

/** A parser must read so much (RFC 9309, 2.5). */
const maxCharacters = 500 * 1024;

function readGroups(text: string): { groups: Group[]; sitemaps: string[] } {
  const groups: Group[] = [];
  const sitemaps: string[] = [];
  let last = "";
  for (const [key, value] of text.split(/\r\n|\n|\r/).map(readLine)) {
    if (key === "") continue;
    // Lines that name an agent, one after the other, begin one group.
    if (key === "user-agent" && last !== key) groups.push({ agents: [], rules: [], delaySeconds: undefined });
    if (key === "sitemap") sitemaps.push(value);
    const group = groups.at(-1);
    if (group !== undefined) addLine(group, key, value);
    last = key;
  }
  return { groups, sitemaps };
}

function addLine(group: Group, key: string, value: string): void {
  if (key === "user-agent") group.agents.push(value.toLowerCase());
  if (key === "crawl-delay" && Number(value) >= 0) group.delaySeconds = Number(value);
  if (value === "" || (key !== "allow" && key !== "disallow")) return;
  group.rules.push({ isAllowed: key === "allow", pattern: value });
}

function readLine(line: string): [key: string, value: string] {
  const content = line.split("#", 1)[0] ?? "";
  const colon = content.indexOf(":");
  if (colon === -1) return ["", ""];
  return [content.slice(0, colon).trim().toLowerCase(), content.slice(colon + 1).trim()];
}

/** The longest pattern that fits decides; of two, the one that allows (RFC 9309, 2.2.2). */
function isAllowedBy(rules: readonly Rule[], path: string): boolean {
  let best: Rule | undefined;
  for (const rule of rules) {
    const longest = best?.pattern.length ?? -1;
    const isBetter = rule.pattern.length > longest || (rule.pattern.length === longest && rule.isAllowed);
    if (isBetter && fits(path, rule.pattern)) best = rule;
  }
  return best?.isAllowed ?? true;
}

/** `*` is anything, a `$` at the end is the end. */
function fits(path: string, pattern: string): boolean {
  const isWhole = pattern.endsWith("$");
  const [first = "", ...rest] = (isWhole ? pattern.slice(0, -1) : pattern).split("*");
  if (!path.startsWith(first)) return false;
  let from = first.length;
  for (const [index, piece] of rest.entries()) {
    const isLast = isWhole && index === rest.length - 1;
    const found = isLast ? Math.max(path.length - piece.length, from) : path.indexOf(piece, from);
    if (found === -1 || !path.startsWith(piece, found)) return false;
    from = found + piece.length;
  }
  return !isWhole || from === path.length;
}
