/** A fault that is planted between the processes and what they use, to see that the oracle finds it. */
export type Plant = {
  /** What a statement is sent as. */
  alter?(text: string): string;
  /** Whether signals of a topic never come. */
  isDeaf?(topic: string): boolean;
  /** Every event is streamed twice. */
  streamsTwice?: true;
  /** Every request of a step goes out twice. */
  asksTwice?: true;
};

const replaced = (pattern: RegExp, by: string) => (text: string) => text.replace(pattern, by);

/** The statement of all claims, where it chooses. */
const chosen = /(with "mine" as \(select "id" from "runs" where )("status" = 'running')/;

export const plants: Readonly<Record<string, Plant>> = {
  "claims that do not raise the epoch": {
    alter: replaced(
      /"leaseEpoch" = "leaseEpoch" \+ (\$\d+), "leaseOwner"/,
      '"leaseEpoch" = "leaseEpoch" + 0 * $1::int, "leaseOwner"',
    ),
  },
  "turns of sessions that are not waited for": {
    alter: replaced(/"earlier"."turnOrder" </, '0 * "earlier"."turnOrder" >'),
  },
  "no wake-up comes, and ready runs are not looked for": {
    isDeaf: (topic) => topic === "run-ready",
    alter: replaced(
      /^\s*with recursive "agent" as/,
      'with recursive "runs" as (select * from public."runs" where false), "agent" as',
    ),
  },
  "runs of the dead are not taken over": { alter: replaced(chosen, "$1 false and $2") },
  "waits that are over are not found": { alter: replaced(/"dueAt" <= (\$\d+)/, "$1::bigint < 0") },
  "a cancel is not noted": {
    alter: replaced(/set "cancelRequested" = (\$\d+)/, 'set "cancelRequested" = 0 * $1::int'),
  },
  "a commit in fifty is undone": (() => {
    let count = 0;
    const isFiftieth = () => {
      count += 1;
      return count % 50 === 0;
    };
    return { alter: (text: string) => (text === "commit" && isFiftieth() ? "rollback" : text) };
  })(),
  "what follows from an end is not written": {
    alter: (text) => (text.startsWith('insert into "simEnds"') ? "select $1, $2" : text),
  },
  "events are streamed twice": { streamsTwice: true },
  "requests go out twice": { asksTwice: true },
};
