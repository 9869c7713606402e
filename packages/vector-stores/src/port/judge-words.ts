/** What texts have of the words of a question. */
export type WordJudgement = {
  /** Of each text, in their order. */
  scores: number[];
  /** The share of the question that some of the texts, by their places, have together: from 0 to 1, a rare word counts for more. */
  shareOf(places: readonly number[]): number;
};

/** The usual constants of BM25. */
const saturation = 1.2;
const lengthShare = 0.75;

/** How much a word of conversation counts beside a word of the subject. */
const saidShare = 0.3;

/**
 * Judges the texts by BM25, words without their endings; two that stand side by side in the question and in the text count
 * as one more. How rare a word is, is judged among these texts: they are all that is known of the collection alike for
 * every database. Words such as "someone", "keep" or "possible" are rare in documentation and say little of the subject,
 * so they count for less.
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

/** What one text has of the question: how often each word, and which pairs. */
type Counted = { length: number; counts: Map<string, number>; found: Pair[] };

function toPairs(asked: readonly string[]): Pair[] {
  return asked.slice(1).map((word, index) => [asked[index] ?? "", word]);
}

/** Few of a text's words are alike from their first letters on: only those are taken without their endings. */
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

/** Texts share most of their words, so a stem is found once. */
function createStems(): (word: string) => string {
  const known = new Map<string, string>();
  return (word) => {
    const stem = known.get(word) ?? toStem(word);
    known.set(word, stem);
    return stem;
  };
}

/**
 * What is left of an English word without the usual endings, so that `locks`, `locked` and `locking` are alike. It is
 * compared, never shown or stored. Words with other characters than a to z, and short ones, stay as they are.
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

/** Words of conversation, without their endings. Those that say nothing at all are not asked for: `toQueryTerms`. */
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
