import type { Check } from "./check.ts";

const testedMajor = 24;

/** Whether this is the Node that Weft is tested with. */
export const nodeCheck: Check = {
  name: "node",
  async run() {
    const message = toNodeNotice(process.versions.node);
    return message === undefined ? [] : [{ message }];
  },
};

export function toNodeNotice(found: string): string | undefined {
  if (Number(found.split(".")[0]) === testedMajor) return undefined;
  return `This is Node ${found}; Weft is tested with Node ${testedMajor}. npm start uses its own where it can; otherwise install Node ${testedMajor}.`;
}
