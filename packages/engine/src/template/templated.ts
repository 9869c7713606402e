/** Field hint that a config's text may hold `{{ … }}`. */
export const templated = { template: true } as const;
