import { createRandom } from "../random.ts";

/** A figure of a sample and the bounds of its 95 % interval. */
export type Interval = { value: number; low: number; high: number };

const resamples = 10_000;

/**
 * The interval of a statistic over questions, by the percentile bootstrap: the statistic of 10,000 samples that are drawn
 * from the questions with repetition, always the same ones. What is compared must come from one call, and so from the same
 * draws.
 */
export function bootstrap<T>(questions: readonly T[], statistic: (sample: readonly T[]) => number): Interval {
  const random = createRandom(20);
  const values: number[] = [];
  for (let round = 0; round < resamples; round += 1) {
    const sample = questions.map(() => questions[Math.floor(random() * questions.length)] as T);
    values.push(statistic(sample));
  }
  values.sort((a, b) => a - b);
  const at = (share: number) => values[Math.floor(share * (resamples - 1))] ?? Number.NaN;
  return { value: statistic(questions), low: at(0.025), high: at(0.975) };
}
