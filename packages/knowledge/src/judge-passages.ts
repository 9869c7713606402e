/** The expected results of a question in an evaluation. */
export type Expectation = {
  /** Names of the documents that answer it. */
  relevant: readonly string[];
  /** Texts that a passage must contain to count, ignoring case and spacing. Default none. */
  words?: readonly string[] | undefined;
};

/** A found passage: the name of its document, and its text. */
export type JudgedPassage = { document: string; text: string };

/**
 * The correct passages, and the documents in result order, each once. A passage of an expected document without the
 * words counts as another document, under an unexpected name.
 */
export function judgePassages(
  { relevant, words = [] }: Expectation,
  passages: readonly JudgedPassage[],
): { isRight: boolean[]; ranked: string[] } {
  const wanted = words.map(plain);
  const isRight = passages.map(({ document, text }) => {
    if (!relevant.includes(document)) return false;
    const searched = wanted.length === 0 ? "" : plain(text);
    return wanted.every((one) => searched.includes(one));
  });
  const names = passages.map(({ document }, index) =>
    isRight[index] || !relevant.includes(document) ? document : `${document}\0`,
  );
  return { isRight, ranked: [...new Set(names)] };
}

/** The expected name of a passage's document: its source, or else its title. */
export function documentName({ source, title }: { source?: unknown; title?: unknown }): string {
  return [source, title].find((name): name is string => typeof name === "string" && name !== "") ?? "";
}

function plain(text: string): string {
  return text.normalize("NFKC").toLowerCase().replaceAll(/\s+/g, " ").trim();
}
