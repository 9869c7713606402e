import type { Services } from "./routes.ts";

/** Services that routes can be declared over, to describe them; none of their functions exists. */
export function absentServices(): Services {
  const nothing: object = new Proxy({}, { get: () => nothing });
  return nothing as Services;
}
