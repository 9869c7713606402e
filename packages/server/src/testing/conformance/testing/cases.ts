import type { ApiDocument, ApiOperation } from "../../api-document.ts";
import type { Scenario, Scenarios, Special } from "./scenario.ts";
import { type Producer, producers, toMissingBody } from "./status-producers.ts";
import type { World } from "./world.ts";

/** One status of one operation, and a request that produces it. */
export type ConformanceCase = Producer & { operation: ApiOperation; status: number };

/** Every declared status of every operation. Throws where nothing is known that produces one. */
export function toCases({ operations }: ApiDocument, scenarios: Scenarios): ConformanceCase[] {
  const unknown = Object.keys(scenarios).filter((id) => !operations.some((operation) => operation.id === id));
  if (unknown.length > 0) throw new Error(`Scenarios of operations that do not exist: ${unknown.join(", ")}`);
  return operations.flatMap((operation) => {
    const scenario = scenarios[operation.id] ?? {};
    return Object.keys(operation.answers).flatMap((text) => {
      const status = Number(text);
      const also = (scenario.also ?? []).filter((special) => special.status === status).map(fromSpecial(operation));
      const missing = status === 400 ? toMissingBody(operation, scenario) : [];
      return [toProducer(operation, status, scenario), ...missing, ...also].map((producer) => ({
        operation,
        status,
        ...producer,
      }));
    });
  });
}

function toProducer(operation: ApiOperation, status: number, scenario: Scenario): Producer {
  const special = scenario.special?.[status];
  if (special !== undefined) return fromSpecial(operation)(special);
  const producer = producers[status]?.(operation, scenario);
  if (producer !== undefined) return producer;
  throw new Error(`Nothing is known that makes ${operation.id} answer ${status}: add it to its scenario.`);
}

function fromSpecial(operation: ApiOperation): (special: Special) => Producer {
  return ({ how, request }) => ({
    how,
    async request(world: World) {
      const made = await request(world, operation);
      return made instanceof Response ? made : world.send(operation, made);
    },
  });
}
