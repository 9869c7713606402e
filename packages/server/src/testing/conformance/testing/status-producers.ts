import { randomUUID } from "node:crypto";
import type { ApiOperation } from "../../api-document.ts";
import type { Scenario } from "./scenario.ts";
import { toValidRequest } from "./valid-request.ts";
import type { Parts, World } from "./world.ts";

/** A way to a status. */
export type Producer = {
  /** Completes "Produced by". */
  how: string;
  request(world: World): Promise<Response>;
};

/** The largest body in a conformance run. */
export const bodyLimitBytes = 50_000;

/** How a status is produced, by the shape of the operation. */
export const producers: Readonly<
  Record<number, (operation: ApiOperation, scenario: Scenario) => Producer | undefined>
> = {
  200: (operation, scenario) => ({
    how: "a valid request",
    request: async (world) => world.send(operation, await toValidRequest(world, operation, scenario)),
  }),
  400: toBadRequest,
  401: (operation, scenario) => ({
    how: "a request without credentials",
    request: async (world) => world.send(operation, await toValidRequest(world, operation, scenario), { token: null }),
  }),
  403: (operation, scenario) => ({
    how: `a key without ${operation.permission}`,
    async request(world) {
      const other = operation.permission === "server:read" ? "agents:read" : "server:read";
      const token = await world.keyWith(other);
      return world.send(operation, await toValidRequest(world, operation, scenario), { token });
    },
  }),
  404: toUnknownId,
  409: toReusedKey,
  412: (operation, scenario) => ({
    how: "an If-Match that names another state",
    async request(world) {
      const valid = await toValidRequest(world, operation, scenario);
      return world.send(operation, { ...valid, headers: { "if-match": '"another"' } });
    },
  }),
  413: (operation, scenario) => ({
    how: "a body above the limit",
    async request(world) {
      const valid = await toValidRequest(world, operation, scenario);
      if (!(valid.body instanceof FormData))
        return world.send(operation, valid, { text: `"${"x".repeat(bodyLimitBytes)}"` });
      valid.body.append("files", new Blob(["x".repeat(bodyLimitBytes)]), "large.txt");
      return world.send(operation, valid);
    },
  }),
  415: (operation, scenario) => ({
    how: "a body as text/plain",
    async request(world) {
      const valid = await toValidRequest(world, operation, scenario);
      return world.send(operation, { ...valid, headers: { "content-type": "text/plain" } }, { text: "text" });
    },
  }),
  422: (operation, scenario) => ({
    how: "a list in place of an object",
    request: async (world) => {
      const valid = await toValidRequest(world, operation, scenario);
      return world.send(operation, valid, { text: "[]" });
    },
  }),
  429: (operation, scenario) =>
    operation.open !== "sometimes"
      ? undefined
      : {
          how: "requests of a public agent without credentials, beyond its limit",
          async request(world) {
            const strict = await world.openStrict();
            const visit = async () =>
              strict.send(operation, await toValidRequest(strict, operation, scenario), { token: null });
            let answer = await visit();
            // The first is refused itself within a minute of an earlier test. Reads are ten for each write.
            for (let count = 1; count <= 10 && answer.status !== 429; count += 1) answer = await visit();
            return answer;
          },
        },
  500: (operation, scenario) =>
    scenario.isWithoutStore
      ? {
          how: "a fault in the code",
          request: async (world) => world.sendToFaulty(operation, await toValidRequest(world, operation, scenario)),
        }
      : {
          how: "a store that fails",
          async request(world) {
            const valid = await toValidRequest(world, operation, scenario);
            return world.store.failDuring(() => world.send(operation, valid));
          },
        },
};

/** The first of these that the operation has: an id in the path, a JSON body, a page to ask for. */
function toBadRequest(operation: ApiOperation, scenario: Scenario): Producer | undefined {
  const id = operation.parameters.find((parameter) => parameter.in === "path" && parameter.schema.format === "uuid");
  const make = (how: string, change: (valid: Parts, world: World) => Promise<Response>): Producer => ({
    how,
    request: async (world) => change(await toValidRequest(world, operation, scenario), world),
  });
  if (id !== undefined) {
    const { name } = id;
    return make(`${/^[aeiou]/.test(name) ? "an" : "a"} ${name} that is not a UUID`, ({ params, ...valid }, world) =>
      world.send(operation, { ...valid, params: { ...params, [name]: "nonsense" } }),
    );
  }
  if (operation.body?.content["application/json"] !== undefined && operation.method !== "GET") {
    return make("a body that is not JSON", (valid, world) => world.send(operation, valid, { text: "{" }));
  }
  if (operation.parameters.some(({ name }) => name === "page")) {
    return make("a page that is not a number", (valid, world) =>
      world.send(operation, { ...valid, query: { page: "first" } }),
    );
  }
  if (operation.id.startsWith("list")) {
    return make("a limit that the list does not take", (valid, world) =>
      world.send(operation, { ...valid, query: { ...valid.query, limit: "5" } }),
    );
  }
  if (!operation.path.includes("{")) return undefined;
  return {
    how: "a path that is no UTF-8 text",
    request: async ({ platform }) => {
      const path = operation.path.replaceAll(/\{\w+\}/g, "%ff").replace("/api/v1", "");
      return platform.send(operation.method, path);
    },
  };
}

function toUnknownId(operation: ApiOperation, scenario: Scenario): Producer | undefined {
  const id = operation.parameters.find((parameter) => parameter.in === "path" && parameter.schema.format === "uuid");
  if (id === undefined) return undefined;
  return {
    how: "an id that nothing has",
    async request(world) {
      const { params, ...valid } = await toValidRequest(world, operation, scenario);
      return world.send(operation, { ...valid, params: { ...params, [id.name]: randomUUID() } });
    },
  };
}

function toReusedKey(operation: ApiOperation, scenario: Scenario): Producer | undefined {
  if (!operation.parameters.some(({ name }) => name === "Idempotency-Key")) return undefined;
  return {
    how: "an Idempotency-Key that was used for another request",
    async request(world) {
      const headers = { "idempotency-key": randomUUID() };
      await world.send(operation, { ...(await toValidRequest(world, operation, scenario)), headers });
      return world.send(operation, { ...(await toValidRequest(world, operation, scenario)), headers });
    },
  };
}

/** Where a body is needed. */
export function toMissingBody(operation: ApiOperation, scenario: Scenario): Producer[] {
  if (operation.body?.required !== true || !("application/json" in operation.body.content)) return [];
  return [
    {
      how: "no body",
      async request(world) {
        const { body: _, ...valid } = await toValidRequest(world, operation, scenario);
        return world.send(operation, valid);
      },
    },
  ];
}
