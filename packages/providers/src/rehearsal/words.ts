const verbs = {
  delete: /^(delete|remove|cancel|erase|drop|destroy|discard|scrap|trash|wipe)$/,
  update:
    /^(update|change|edit|modify|rename|move|reschedule|postpone|patch|set|correct|adjust|relocate|shift|alter|revise)$/,
  create: /^(create|add|new|make|schedule|book|organi[sz]e|plan|register|insert|post|arrange)$/,
  read: /^(list|show|get|fetch|display|see|view|find|retrieve|look|read|give|tell|what|which|search|check|query|lookup)$/,
};
export type Action = keyof typeof verbs;

const fillers = new Set(
  (
    "a an and are as at by be can could detail do for from have i id in into is it its me my new of on or our please the " +
    "their them there this that to want we with would you your all by api http returns request call record item entry one"
  ).split(" "),
);

/** Lower-case words of a text or an identifier (`createEvent`, `get_events`), plurals cut. */
export function toWords(text: string): string[] {
  const spaced = text.replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
  return (spaced.match(/[\p{L}\d]+/gu) ?? []).map((word) => word.replace(/(?<=..[^s])s$/, ""));
}

/** The kind of the first word that has one. */
export function findKind<K extends string>(words: readonly string[], kinds: Record<K, RegExp>): K | undefined {
  for (const word of words) for (const kind in kinds) if (kinds[kind].test(word)) return kind;
  return undefined;
}

/** What the first verb of a text asks for. Quoted text is no verb: an event may be called "Update". */
export function findAction(text: string): Action | undefined {
  const plain = text.replaceAll(/"[^"]*"|(?<!\p{L})'[^']*'/gu, " ");
  return findKind(
    toWords(plain.replace(/\bget rid of\b/i, "delete").replace(/\bset up\b|\bput an?\b/i, "create")),
    verbs,
  );
}

/** Words that name things: neither verbs nor fillers. */
export function findNouns(text: string): Set<string> {
  return new Set(toWords(text).filter((word) => word.length > 2 && !fillers.has(word) && !findKind([word], verbs)));
}
