/** Exit status of `npm run flow`. */
export const exitCodes = { done: 0, failed: 1, wrongCommand: 2, waiting: 3 } as const;
