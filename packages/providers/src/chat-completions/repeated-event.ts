/** Reads events that differ from an earlier one in their text alone, as nearly all of a stream do, without parsing them. */
export type Repetition = {
  /** Remembers an event, `data` parsed, if it brings text and nothing else that a reader of the stream would note. */
  learn(data: string, event: Readonly<Record<string, unknown>>): void;
  /** The text of an event that is the remembered one but for its text; undefined for any other. */
  textOf(data: string): string | undefined;
};

/** Streams whose events all differ (in a time, or in padding) are not looked at again and again. */
const mostLearnt = 3;

export function createRepetition(): Repetition {
  let before: string | undefined;
  let behind = "";
  let learnt = 0;

  return {
    learn(data, event) {
      const text = learnt < mostLearnt ? onlyTextOf(event) : undefined;
      if (text === undefined) return;
      learnt += 1;
      const literal = `"content":${JSON.stringify(text)}`;
      const at = data.indexOf(literal);
      if (at < 0) return;
      const [head, tail] = [data.slice(0, at + 11), data.slice(at + literal.length - 1)];
      // Another text may have been found in the place of the answer's.
      if (!bringsText(`${head}${probe}${tail}`, probe)) return;
      before = head;
      behind = tail;
    },
    textOf(data) {
      if (before === undefined || data.length < before.length + behind.length) return undefined;
      if (!data.startsWith(before) || !data.endsWith(behind)) return undefined;
      const text = data.slice(before.length, data.length - behind.length);
      // It is the inside of a string of JSON where nothing ends or escapes it (RFC 8259, section 7).
      return text === "" || notPlain.test(text) ? undefined : text;
    },
  };
}

const probe = "weft-probe";
const notPlain = /["\\\p{Cc}]/u;

function bringsText(data: string, text: string): boolean {
  try {
    return onlyTextOf(JSON.parse(data)) === text;
  } catch {
    return false;
  }
}

const silent = new Set([undefined, null, ""]);

/** The text of an event with one choice whose delta says nothing else; undefined otherwise. */
function onlyTextOf(event: Readonly<Record<string, unknown>>): string | undefined {
  const { choices, usage, x_groq, error } = event;
  if (!Array.isArray(choices) || choices.length !== 1 || [usage, x_groq, error].some(Boolean)) return undefined;
  const { delta, finish_reason, message, usage: ofChoice, error: ofAnswer } = choices[0] ?? {};
  if ([finish_reason, message, ofChoice, ofAnswer].some(Boolean) || typeof delta !== "object" || delta === null) {
    return undefined;
  }
  const { content, role: _, ...rest } = delta;
  if (typeof content !== "string" || content === "") return undefined;
  return Object.values(rest).every((value) => silent.has(value as undefined)) ? content : undefined;
}
