import { createRandom } from "../random.ts";

/**
 * Made-up prose with the shape of real one: some 40 % function words, and 30,000 content words whose frequency falls with
 * their rank (Zipf and Mandelbrot), so that the most usual are in nearly half of the chunks and most in few. The same
 * index gives the same text everywhere.
 */
export function toProse(index: number): string {
  const random = createRandom(index + 1);
  const words = Array.from({ length: chunkWords }, () =>
    random() < functionShare ? toFunctionWord(random()) : toContentWord(random()),
  );
  return `Entry item-${index}: ${words.join(" ")}.`;
}

/** A question of four words of one chunk, with function words around; each eighth names the chunk. */
export function toQuestion(index: number, chunks: number): string {
  const about = (index * 7_919) % chunks;
  if (index % 8 === 0) return `what is item-${about}`;
  const random = createRandom(index * 31 + 7);
  const words = toProse(about)
    .replace(/^.*?: |\.$/g, "")
    .split(" ");
  const telling = words.filter((word) => !functionWords.includes(word));
  const [first, second, third, fourth] = Array.from(
    { length: 4 },
    () => telling[Math.floor(random() * telling.length)],
  );
  return `how can you ${first} the ${second} with ${third} and ${fourth}`;
}

/** The worst case of keyword search: each chunk has 40 of 60 usual words, and each question has one of them. */
export function toHarshText(index: number): string {
  const rare = Array.from({ length: 20 }, (_, at) => `word${(index * 31 + at * at * 17) % 5_000}`);
  const usual = Array.from({ length: 40 }, (_, at) => `usual${(index + at * 7) % 60}`);
  return `Chunk ${index} item-${index}. ${rare.join(" ")}. ${usual.join(" ")}.`;
}

export function toHarshQuestion(index: number): string {
  return `word${(index * 37) % 5_000} word${(index * 91) % 5_000} usual${index % 60} item-${index}`;
}

const chunkWords = 90;
const functionShare = 0.42;
const functionWords =
  "the of and to a in is for that on with as it be by this are or from at not can you if will have an which your".split(
    " ",
  );
const syllables = "ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu bra cle dri flo gru".split(" ");
const vocabulary = 30_000;
const flattening = 10;
const cumulated = cumulate();

function cumulate(): Float64Array {
  const sums = new Float64Array(vocabulary);
  let sum = 0;
  for (let rank = 0; rank < vocabulary; rank += 1) {
    sum += 1 / (rank + flattening);
    sums[rank] = sum;
  }
  return sums;
}

function toFunctionWord(chance: number): string {
  return functionWords[Math.floor(chance * chance * functionWords.length)] ?? "the";
}

function toContentWord(chance: number): string {
  const wanted = chance * (cumulated[vocabulary - 1] as number);
  let low = 0;
  let high = vocabulary - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((cumulated[middle] as number) < wanted) low = middle + 1;
    else high = middle;
  }
  return spell(low + syllables.length);
}

function spell(number: number): string {
  if (number === 0) return "";
  return spell(Math.floor(number / syllables.length)) + syllables[number % syllables.length];
}
