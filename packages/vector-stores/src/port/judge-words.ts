/** Matches of texts with the words of a question. */
export type WordJudgement = {
  /** Per text, in order. */
  scores: number[];
  /**
   * The share of the question covered by these texts together, by index: from 0 to 1, with rare words weighted higher.
   */
  shareOf(places: readonly number[]): number;
};

/** The usual constants of BM25. */
const saturation = 1.2;
const lengthShare = 0.75;

/** Weight of a conversational word relative to a subject word. */
const saidShare = 0.3;

/**
 * Scores the texts by BM25 on stems; adjacent pairs in both the question and the text count as one more word. Rarity is
 * measured among these texts: they are all that is known of the collection equally for every database. Words such as
 * "someone", "keep" or "possible" are rare in documentation but tell little of the subject, so they count less.
 */
export function judgeWords(question: readonly string[], texts: readonly (readonly string[])[]): WordJudgement {
  const stems = createStems();
  const asked = question.map(stems);
  const words = [...new Set(asked)];
  const pairs = toPairs(asked);
  const counted = texts.map((text) => countIn(text, { words, pairs, stems }));
  const usualLength = Math.max(1, sum(counted.map(({ length }) => length)) / counted.length);
  const rarities = new Map(
    words.map((word) => {
      const having = counted.filter(({ counts }) => counts.has(word)).length;
      return [word, Math.log(1 + counted.length / (having + 0.5))];
    }),
  );
  const rarityOf = (word: string) => rarities.get(word) ?? 0;
  const weightOf = (word: string) => rarityOf(word) * (saidWords.has(word) ? saidShare : 1);
  const all = sum(words.map(weightOf)) || 1;
  const scores = counted.map(({ length, counts, found }) => {
    const lengthFactor = saturation * (1 - lengthShare + (lengthShare * length) / usualLength);
    const single = [...counts].map(
      ([word, count]) => (weightOf(word) * count * (saturation + 1)) / (count + lengthFactor),
    );
    return (sum(single) + sum(found.map(([first, second]) => (weightOf(first) + weightOf(second)) / 2))) / all;
  });
  const whole = sum(words.map(rarityOf)) || 1;
  const shareOf = (places: readonly number[]) => {
    const held = new Set(places.flatMap((place) => [...(counted[place]?.counts.keys() ?? [])]));
    return sum([...held].map(rarityOf)) / whole;
  };
  return { scores, shareOf };
}

type Pair = readonly [string, string];

/** A text's matches with the question: the count of each word, and the pairs. */
type Counted = { length: number; counts: Map<string, number>; found: Pair[] };

function toPairs(asked: readonly string[]): Pair[] {
  return asked.slice(1).map((word, index) => [asked[index] ?? "", word]);
}

/** Few of a text's words share their first letters with the question: only those are stemmed. */
function countIn(text: readonly string[], { words, pairs, stems }: Asked): Counted {
  const known = new Set(words);
  const beginnings = new Set(words.map(beginningOf));
  const counts = new Map<string, number>();
  const side = new Set<string>();
  let before: string | undefined;
  for (const given of text) {
    const word = beginnings.has(beginningOf(given)) ? stems(given) : undefined;
    const isAsked = word !== undefined && known.has(word);
    if (isAsked) {
      counts.set(word, (counts.get(word) ?? 0) + 1);
      if (before !== undefined) side.add(`${before} ${word}`);
    }
    before = isAsked ? word : undefined;
  }
  return { length: text.length, counts, found: pairs.filter(([first, second]) => side.has(`${first} ${second}`)) };
}

type Asked = { words: readonly string[]; pairs: readonly Pair[]; stems: (word: string) => string };

/** The first two letters as a number: `toStem` keeps them. */
function beginningOf(word: string): number {
  return word.charCodeAt(0) * 0x10000 + (word.charCodeAt(1) || 0);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Caches stems: texts share most of their words. */
function createStems(): (word: string) => string {
  const known = new Map<string, string>();
  return (word) => {
    const stem = known.get(word) ?? toStem(word);
    known.set(word, stem);
    return stem;
  };
}

/**
 * An English word without its common endings, so that `locks`, `locked` and `locking` match. Only compared, never shown
 * or stored. Words with other characters than a to z, and short ones, stay unchanged.
 */
export function toStem(word: string): string {
  if (word.length < 4 || !plainWord.test(word)) return word;
  const single = toSingular(word);
  if (single.length < 5) return single;
  return withoutEnding(single).replace(/(?<=..)e$/, "");
}

const plainWord = /^[a-z]+$/;

function toSingular(word: string): string {
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith("s") && !/(?:ss|us|is)$/.test(word) ? word.slice(0, -1) : word;
}

function withoutEnding(word: string): string {
  const ending = endings.find((end) => word.endsWith(end) && word.length - end.length >= 3);
  return ending === undefined ? word : word.slice(0, -ending.length).replace(/([^lsz])\1$/, "$1");
}

const endings = ["ing", "ed", "ly", "er"];

/** Stems of conversational words. `toQueryTerms` already drops stop words. */
const saidWords = new Set(
  (
    "able actually already always another anybody anyone anything anyway away back bad best better bit cannot come coming " +
    "correctly easily easy else enough even ever every everybody everyone everything everywhere exactly far few find first " +
    "give given go going good got great guess happen hello help hi however instead keep kind know last later least less like " +
    "little long look lot made make many may maybe might mind moment much must myself need never new next nice nobody none " +
    "nothing now ok old once one otherwise own part people perhaps person please possible possibly probably properly put " +
    "quite rather really right said say second see seem several show since single somebody somehow someone something " +
    "sometimes somewhere still stuff sure take taken tell thank thing think though thought time today together took tried " +
    "try twice two want way well whether whole whom without wonder work wrong yet"
  )
    .split(" ")
    .map(toStem),
);
