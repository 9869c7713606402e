import { randomUUID } from "node:crypto";
import { isJsonObject, type Json, type JsonObject } from "@weft/schema";
import type { ApiDocument, ApiOperation } from "../../api-document.ts";
import type { Scenario } from "./scenario.ts";
import type { Parts, World } from "./world.ts";

/** A request of the operation that succeeds. Throws where it cannot be made from the description alone. */
export async function toValidRequest(world: World, operation: ApiOperation, scenario: Scenario): Promise<Parts> {
  if (scenario.valid !== undefined) return scenario.valid(world);
  const collection = /^(.*)\/\{id\}/.exec(operation.path)?.[1];
  const body = operation.body === undefined ? {} : { body: freshExample(operation, world.next()) };
  if (!operation.path.includes("{")) return body;
  const creator = findCreator(world.document, collection);
  if (creator === undefined) throw new Error(`${operation.id} needs a scenario with a valid request.`);
  return { params: { id: (await world.create(creator.id)).id }, ...body };
}

/** The example of a body, as something that was not there before. */
export function freshExample({ body }: ApiOperation, number: number): Json {
  const example = body?.content["application/json"]?.example ?? {};
  if (!isJsonObject(example)) return example;
  const { id, name } = example as JsonObject;
  return {
    ...example,
    ...(typeof name === "string" && { name: `${name}${number}` }),
    ...(typeof id === "string" && { id: randomUUID() }),
  };
}

function findCreator({ operations }: ApiDocument, path: string | undefined): ApiOperation | undefined {
  return operations.find((operation) => operation.method === "POST" && operation.path === path);
}
