import { ofEngine } from "./engine-mutants.ts";
import type { Mutant } from "./mutant.ts";

const engine = "packages/engine/src";
const egress = "packages/egress/src";
const schema = "packages/schema/src";
const server = "packages/server/src";

const ofPolicies: Mutant[] = [
  {
    name: "a visitor's writes are all allowed",
    file: `${engine}/agent/approval.ts`,
    original: `visitorWrites === undefined || effect === "read" ? "allow" : visitorWrites[effect];`,
    replacement: `visitorWrites === undefined || effect !== undefined ? "allow" : visitorWrites[effect];`,
    tests: [`${engine}/agent/approval.test.ts`],
  },
  {
    name: "a replay changes the world without asking",
    file: `${engine}/agent/approval.ts`,
    original: `isReplay && effect !== "read" && ruling === "allow" ? "ask" : ruling;`,
    replacement: `isReplay && effect === "read" && ruling === "allow" ? "ask" : ruling;`,
    tests: [`${engine}/agent/approval.test.ts`],
  },
  {
    name: "the code of a function sends what a person would have to allow",
    file: `${engine}/agent/approval.ts`,
    original: `if (ruling === "allow") return http.request(call);`,
    replacement: `if (ruling !== "refuse") return http.request(call);`,
    tests: [`${engine}/agent/approval.test.ts`],
  },
  {
    name: "DELETE counts as any other write",
    file: `${schema}/write-policy.ts`,
    original: `return method.toUpperCase() === "DELETE" ? "destructive" : "write";`,
    replacement: `return "write";`,
    tests: [`${engine}/agent/approval.test.ts`],
  },
  {
    name: "visitors may destroy unless the agent says otherwise",
    file: `${schema}/write-policy.ts`,
    original: `destructive: rulingSchema.default("ask")`,
    replacement: `destructive: rulingSchema.default("allow")`,
    tests: [`${schema}/write-policy.test.ts`, `${server}/predictions/visitor-writes.test.ts`],
  },
  {
    name: "an agent that another one calls for a visitor keeps the looser policy",
    file: `${schema}/write-policy.ts`,
    original: "severity.indexOf(one) > severity.indexOf(other) ? one : other",
    replacement: "severity.indexOf(one) < severity.indexOf(other) ? one : other",
    tests: [`${schema}/write-policy.test.ts`, `${server}/predictions/visitor-writes.test.ts`],
  },
  {
    name: "overrides apply although they are switched off",
    file: `${server}/predictions/override-permissions.ts`,
    original: "status: z.literal(true)",
    replacement: "status: z.boolean()",
    tests: [`${server}/predictions/overrides.test.ts`, `${server}/predictions/closed-overrides.test.ts`],
  },
  {
    name: "a setting that is listed and not enabled may be overridden",
    file: `${server}/predictions/override-permissions.ts`,
    original: "enabled ? [name] : []",
    replacement: "enabled !== undefined ? [name] : []",
    tests: [`${server}/predictions/overrides.test.ts`, `${server}/predictions/closed-overrides.test.ts`],
  },
  {
    name: "visitors bring a history of their own",
    file: `${server}/predictions/override-permissions.ts`,
    original: "allowsHistory: !isAnonymous || enabled.history",
    replacement: "allowsHistory: !isAnonymous || enabled.history !== undefined",
    tests: [`${server}/predictions/closed-overrides.test.ts`, `${server}/predictions/overrides.test.ts`],
  },
  {
    name: "a route's permission is not asked for",
    file: "packages/http/src/route/parse-request.ts",
    original: "if (!isGranted(identity.grants, permission))",
    replacement: "if (identity.grants === undefined)",
    tests: ["packages/identity/src/api-keys/api-key.test.ts"],
  },
  {
    name: "the rights of whom someone manages are not compared",
    file: "packages/identity/src/people/rights.ts",
    original: "if (missing !== undefined) throw forbidden(missing);",
    replacement: "if (missing === managed) throw forbidden(missing);",
    tests: ["packages/identity/src/people/people.test.ts"],
  },
  {
    name: "chat clients need no credentials where the agent is closed",
    file: "packages/http/src/route/parse-request.ts",
    original: "!access.needsBearer && (await request.isAgentOpen())",
    replacement: "!access.needsBearer",
    tests: [`${server}/access/chat-client-gate.test.ts`],
  },
  {
    name: "pages of other sites reach a local server by a name of theirs",
    file: "packages/http/src/host-check.ts",
    original: "named.has(given) || named.has(name)",
    replacement: "named.has(given) || name.length > 0",
    tests: ["packages/server/src/whole-server/host-check.test.ts"],
  },
  {
    name: "an API key lets a credential of somebody else go to a new host",
    file: `${server}/credentials/credential.service.ts`,
    original: "if (!by?.isKey || by.owner === createdBy) return;",
    replacement: "return;",
    tests: [`${server}/credentials/destinations.test.ts`],
  },
  {
    name: "a variable that callers may override decides where a credential goes",
    file: `${server}/credentials/credential-uses.ts`,
    original: "const isFixed = !overridable.has(name) && (",
    replacement: "const isFixed = (",
    tests: [`${server}/credentials/credential-hosts.test.ts`],
  },
];

const ofEgress: Mutant[] = [
  {
    name: "credentials follow a redirect to another origin",
    file: `${egress}/hops.ts`,
    original: "url.origin === hop.url.origin ? hop.headers",
    replacement: "url.protocol === hop.url.protocol ? hop.headers",
    tests: [`${egress}/hops.test.ts`],
  },
  {
    name: "one permitted address among forbidden ones lets a name through",
    file: `${egress}/egress-client.ts`,
    original: "for (const address of addresses) check(address);",
    replacement: `check(addresses[0] ?? "");`,
    tests: [`${egress}/egress-client.test.ts`, `${egress}/hostile-servers.test.ts`],
  },
  {
    name: "metadata servers may be called",
    file: `${egress}/address-policy.ts`,
    original: `["169.254.0.0/16"]`,
    replacement: `["169.254.0.0/24"]`,
    tests: [`${egress}/address-policy.test.ts`],
  },
  {
    name: "addresses that stand for IPv4 ones may be called",
    file: `${egress}/address-policy.ts`,
    original: `return globalUnicast.check(address, "ipv6") ? undefined : "a reserved address";`,
    replacement: "return undefined;",
    tests: [`${egress}/address-policy.test.ts`],
  },
  {
    name: "a secret goes to a host that it is not bound to",
    file: `${egress}/secret-vault.ts`,
    original: "if (!coversUrl(secret.hosts, url, allowsPlain(url))) throw refusal(secret, { url, shown });",
    replacement: "",
    tests: [`${egress}/secrets.test.ts`],
  },
  {
    name: "a redirect carries a secret in its address to another host",
    file: `${egress}/hops.ts`,
    original: "location && walk.vault.hide(location)",
    replacement: "location",
    tests: [`${egress}/secrets.test.ts`],
  },
  {
    name: "a secret that comes back in pieces is not seen",
    file: `${egress}/secret-vault.ts`,
    original: `if (!isLast) return "perhaps";`,
    replacement: "",
    tests: [`${egress}/redactor.test.ts`],
  },
  {
    name: "a secret goes without TLS to a host that is allowed with it",
    file: `${schema}/bound-host.ts`,
    original: "if (mustBePlain && name === entry) return false;",
    replacement: "",
    tests: [`${schema}/bound-host.test.ts`],
  },
  {
    name: "a pattern of hosts covers names that only end alike",
    file: `${schema}/bound-host.ts`,
    original: "host.endsWith(name.slice(1))",
    replacement: "host.endsWith(name.slice(2))",
    tests: [`${schema}/bound-host.test.ts`],
  },
  {
    name: "one redirect more than allowed is followed",
    file: `${egress}/hops.ts`,
    original: "redirects >= policy.limit",
    replacement: "redirects > policy.limit",
    tests: [`${egress}/egress-client.test.ts`, `${egress}/fetch.test.ts`],
  },
];

const storeTests = ["packages/run-host/src/journal/run.store.test.ts"];
const leaseTests = ["packages/run-host/src/journal/run-lease.store.test.ts"];

const ofStores: Mutant[] = [
  {
    name: "an append is written although its run is another's, or stands elsewhere",
    file: "packages/run-host/src/journal/run-statements.ts",
    original: "const isGuarded = step !== undefined && start === 0;",
    replacement: "const isGuarded = false;",
    tests: storeTests,
  },
  {
    name: "a run ends without its messages",
    file: "packages/run-host/src/journal/run.store.ts",
    original: "return database.commit<R>({ statements: [...statements, ...follow], proof, lock });",
    replacement: "return database.commit<R>({ statements, proof, lock });",
    tests: storeTests,
  },
  {
    name: "a run ends although what follows could not be written",
    file: "packages/run-host/src/journal/run.store.ts",
    original: "await follow(tx);\n    return rows;",
    replacement: "await follow(tx).catch(() => undefined);\n    return rows;",
    tests: storeTests,
  },
  {
    name: "a take-over does not fence off the process before",
    file: "packages/run-host/src/journal/run-lease.store.ts",
    original: `leaseEpoch: eb("leaseEpoch", "+", 1)`,
    replacement: `leaseEpoch: eb("leaseEpoch", "+", 0)`,
    tests: leaseTests,
  },
  {
    name: "two processes claim the same waiting run",
    file: "packages/run-host/src/journal/run-lease.store.ts",
    original: `.where((eb) => eb.or([eb("status", "=", "suspended"), isHeld(eb)]))
          .where(hasNoLease(database))`,
    replacement: `.where((eb) => eb.or([eb("status", "=", "suspended"), isHeld(eb)]))`,
    tests: leaseTests,
  },
  {
    name: "a run that holds its answer is continued before its moment",
    file: "packages/run-host/src/journal/run-lease.store.ts",
    original: `eb.or([eb("dueAt", "is", null), eb("dueAt", "<=", now), eb("cancelRequested", "=", 1)])`,
    replacement: `eb.or([eb("dueAt", "is", null), eb("dueAt", ">", 0)])`,
    tests: leaseTests,
  },
  {
    name: "a run is let go of for a wait of less than a second",
    file: `${engine}/scheduler.ts`,
    original: "dueAt - clock.now() <= stayMs",
    replacement: "dueAt - clock.now() <= -stayMs",
    tests: [`${engine}/timed-waits.test.ts`],
  },
  {
    name: "runs with a living lease are taken over",
    file: "packages/run-host/src/journal/run-lease.store.ts",
    original: ".where((eb) => eb.or([hasNoLease(database), isLeft(database, lessee)]))",
    replacement: "",
    tests: leaseTests,
  },
  {
    name: "a key that is known begins its request again",
    file: "packages/http/src/route/idempotency.store.ts",
    original: "doNothing()",
    replacement: "doUpdateSet({ bodyHash: entry.bodyHash })",
    tests: [`${server}/predictions/repeated-prediction.test.ts`, "packages/http/src/route/idempotency.test.ts"],
  },
  {
    name: "a key answers another request with what it kept",
    file: "packages/http/src/route/idempotency.ts",
    original: `if (entry.bodyHash !== bodyHash) throw new WeftError("idempotency-key-reused");`,
    replacement: "",
    tests: ["packages/http/src/route/idempotency.test.ts"],
  },
  {
    name: "callers share their keys",
    file: "packages/http/src/route/idempotency.ts",
    original: "[owner, route.operationId, key]",
    replacement: `[owner.slice(0, 0), route.operationId, key]`,
    tests: ["packages/http/src/route/idempotency.test.ts", `${server}/predictions/chat-owners.test.ts`],
  },
  {
    name: "an equal event of another owner proves an own commit",
    file: "packages/run-host/src/journal/run-statements.ts",
    original: `.where("runs.leaseEpoch", "=", leaseEpoch),
);`,
    replacement: `.where("runs.leaseEpoch", ">=", leaseEpoch),
);`,
    tests: ["packages/run-host/src/journal/run.store.test.ts"],
  },
  {
    name: "two messages of a session run at once",
    file: "packages/run-host/src/journal/session-turns.ts",
    original: `and "earlier"."turnOrder" < "own"."turnOrder"`,
    replacement: `and "earlier"."turnOrder" < "own"."turnOrder" - 1000`,
    tests: [`${server}/predictions/order-of-arrival.test.ts`],
  },
  {
    name: "two messages of a session get the same place",
    file: "packages/run-host/src/journal/session-turns.ts",
    original: `select coalesce(max("turnOrder"), 0) + 1 from`,
    replacement: `select coalesce(max("turnOrder"), 0) from`,
    tests: [`${server}/predictions/order-of-arrival.test.ts`],
  },
  {
    name: "a run that waits for its session keeps a slot",
    file: "packages/run-host/src/host/turnstile.ts",
    original: `if (!session?.mustWait && slots.take(share))`,
    replacement: `if (slots.take(share))`,
    tests: ["packages/run-host/src/host/turnstile.test.ts"],
  },
  {
    name: "a child run is begun again after a restart",
    file: `${server}/predictions/child-runs.ts`,
    original: "const runId = uuidOf(request.idempotencyKey);",
    replacement: "const runId = uuidOf(request.idempotencyKey + ids.uuid());",
    tests: [`${server}/whole-server/child-runs.test.ts`],
  },
];

export const mutants: readonly Mutant[] = [...ofEngine, ...ofPolicies, ...ofEgress, ...ofStores];
