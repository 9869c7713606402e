/** Begins with an answer, at once or in its turn. */
export type AnswerTurns = { take(begin: () => void): void };

/**
 * Begins with one answer in each turn of the event loop when several have come: a run goes on with each, and a thousand
 * that were answered at the same moment would leave nobody else a turn meanwhile. In the order in which they came.
 */
export function createAnswerTurns(): AnswerTurns {
  const waiting: (() => void)[] = [];
  let isBusy = false;

  function next(): void {
    const begin = waiting.shift();
    if (begin === undefined) {
      isBusy = false;
      return;
    }
    setImmediate(next);
    begin();
  }

  return {
    take(begin) {
      if (isBusy) {
        waiting.push(begin);
        return;
      }
      isBusy = true;
      setImmediate(next);
      begin();
    },
  };
}
