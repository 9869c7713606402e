const verbs = {
  delete: /^(delete|remove|cancel|erase|drop|destroy|discard|scrap|trash|wipe)$/,
  update: /^(update|change|edit|modify|rename|move|reschedule|postpone|patch|set|adjust|relocate|shift|alter|revise)$/,
  create: /^(create|add|new|make|schedule|book|organi[sz]e|plan|register|insert|post|arrange)$/,
  read: /^(list|show|get|fetch|display|see|view|find|retrieve|look|read|give|tell|what|which|search|check|query|lookup)$/,
};
type Action = keyof typeof verbs;

/** Words of three letters and more that name nothing, their plural cut; shorter ones never do. */
const fillers = {
  anywhere: /^(and|are|can|[cw]ould|for|from|have|into|its|our|please|th(at|e|eir|em|ere|is?)|want|with|your?)$/,
  inDescriptions: /^(all|api|call|detail|entry|http|item|one|record|request|return|use)$/,
};

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
  const plain = text.replaceAll(/"[^"]*"|(?<!\p{L})'[^']*'/gu, " ").replace(/\bget rid of\b/i, "delete");
  return findKind(toWords(plain.replace(/\bset up\b|\bput an?\b/i, "create")), verbs);
}

/** Words that name things: neither verbs nor fillers. */
export function findNouns(text: string): string[] {
  return toWords(text).filter((word) => word.length > 2 && !findKind([word], { ...verbs, ...fillers }));
}

/** What the rehearsal model is, in the start log, the builder and before each of its answers. */
export const rehearsalLabel = "rehearsal model: rules, not an AI";
