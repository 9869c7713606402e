import { type LiveAnswer, liveAnswerOf } from "../answer/live-body.ts";
import type { Route } from "./define-route.ts";
import { type Identity, isGranted, isPermission } from "./identity.ts";

/** The identity with the rights that it has now; undefined once everything that proved it is void. */
export type Recheck = (identity: Identity) => Promise<Identity | undefined>;

/** Breaks off streams whose callers have lost the right to them. */
export type Standing = { follow(response: Response, caller: { identity: Identity; route: Route }): void };

type Followed = { answer: LiveAnswer; identity: Identity; route: Route };

/** From one round to the next. With the lookups, a lost right is noticed within a second, whichever process took it. */
const pauseMs = 400;
const atOnce = 16;

/** Looks each caller up once a round, however many streams it has, and nobody while there are none. */
export function createStanding(recheck: Recheck): Standing {
  const followed = new Map<string, Set<Followed>>();
  let timer: NodeJS.Timeout | undefined;

  async function lookAt([key, streams]: [string, Set<Followed>]): Promise<void> {
    for (const each of streams) if (each.answer.isOver()) streams.delete(each);
    const open = [...streams];
    const [first] = open;
    if (first === undefined) return void followed.delete(key);
    // A database that does not answer says nothing of anyone's rights.
    const now = await recheck(first.identity).catch(() => first.identity);
    for (const each of open) if (!mayGoOn(each, now)) each.answer.breakOff();
  }

  async function round(): Promise<void> {
    const callers = [...followed];
    while (callers.length > 0) await Promise.all(callers.splice(0, atOnce).map(lookAt));
    timer = undefined;
    schedule();
  }

  function schedule(): void {
    if (timer === undefined && followed.size > 0) timer = setTimeout(round, pauseMs).unref();
  }

  return {
    follow(response, { identity, route }) {
      const answer = liveAnswerOf(response);
      if (answer === undefined || identity.kind === "operator") return;
      const id = identity.kind === "account" ? identity.accountId : identity.apiKeyId;
      const key = `${identity.kind} ${id} ${identity.generation}`;
      const streams = followed.get(key) ?? new Set();
      followed.set(key, streams.add({ answer, identity, route }));
      schedule();
    },
  };
}

function mayGoOn({ identity, route }: Followed, now: Identity | undefined): boolean {
  if (now === undefined) return false;
  const access = typeof route.permission === "object" ? route.permission.permission : route.permission;
  return (!isPermission(access) || isGranted(now.grants, access)) && reachesAsFar(now, identity);
}

/** Whether no agent of a limited key was taken from it. */
function reachesAsFar(now: Identity, before: Identity): boolean {
  const [left, had] = [agentsOf(now), agentsOf(before)];
  if (left === "all") return true;
  return had !== "all" && [...had].every((id) => left.has(id));
}

function agentsOf(identity: Identity) {
  return identity.kind === "api-key" ? identity.agents : "all";
}
