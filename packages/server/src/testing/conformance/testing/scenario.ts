import type { ApiOperation } from "../../api-document.ts";
import type { Parts, World } from "./world.ts";

/** How a status is produced that no other operation of the same shape has in the same way. */
export type Special = {
  /** Completes "Produced by". */
  how: string;
  /** The request, or the answer to one that was made already. */
  request(world: World, operation: ApiOperation): Promise<Parts | Response> | Parts | Response;
};

/** What has to be known of an operation beyond its description. */
export type Scenario = {
  /** A request that succeeds. Default: the example of the body, and a resource that the collection's POST creates. */
  valid?(world: World): Promise<Parts> | Parts;
  special?: Readonly<Record<number, Special>>;
  /** Further ways to a status, each worth a request. */
  also?: readonly (Special & { status: number })[];
  /** Its 500 cannot come from the store, which it does not touch. */
  isWithoutStore?: boolean;
};

/** Scenarios by operation id. */
export type Scenarios = Readonly<Record<string, Scenario>>;
