/** What servers have acknowledged since a campaign began: runs, and the values of variables by their ids. */
export type Ledger = { runs: Set<string>; variables: Map<string, number> };

export function emptyLedger(): Ledger {
  return { runs: new Set(), variables: new Map() };
}

/** As it is now, whatever is acknowledged later. */
export function copyLedger({ runs, variables }: Ledger): Ledger {
  return { runs: new Set(runs), variables: new Map(variables) };
}
