/** Where a prompt comes from, and where a winner goes back to. Absent: nowhere. */
export type PlaygroundSearch = { execution?: string; step?: string };

export function readPlaygroundSearch({ execution, step }: Record<string, unknown>): PlaygroundSearch {
  return {
    ...(typeof execution === "string" && { execution }),
    ...(typeof step === "string" && { step }),
  };
}
