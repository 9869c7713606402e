import { parentPort, workerData } from "node:worker_threads";
import { isJsonObject, type Json, type JsonObject, toJsonList, toJsonObject } from "@weft/schema";
import { yamlToJson } from "./read-text.ts";
import { resolveReference } from "./resolve-reference.ts";

/** Shared parameters are expanded in each operation: a few of them can stand for gigabytes. */
const maxCharacters = 20 * 1024 * 1024;

/**
 * The JSON text of a Swagger 2.0 document as that of an OpenAPI 3.0 document. Rejects with the library's error. Runs in
 * a separate thread, because the library trusts the names in a document: `__proto__` among its media types would change
 * every object of the process.
 */
async function swaggerToOpenApi(text: string): Promise<string> {
  const { upgradeFromTwoToThree } = await import("@scalar/openapi-upgrader/2.0-to-3.0");
  const root = toJsonObject(JSON.parse(text));
  const paths = Object.entries(toJsonObject(root.paths)).map(([path, item]) => [path, withOwnParameters(root, item)]);
  const upgraded = JSON.stringify(upgradeFromTwoToThree({ ...root, paths: Object.fromEntries(paths) }));
  if (upgraded.length > maxCharacters) throw new Error("it is too large when its parameters are written out");
  return upgraded;
}

/**
 * Gives each operation the parameters of its path, and inlines references: the library converts a body or a form field
 * only in place.
 */
function withOwnParameters(root: JsonObject, item: Json): JsonObject {
  const { parameters: shared, ...rest } = toJsonObject(item);
  const entries = Object.entries(rest).map(([method, operation]) => {
    if (!isJsonObject(operation)) return [method, operation] as const;
    const all = [...toJsonList(shared), ...toJsonList(operation.parameters)].map(
      (parameter) => resolveReference(root, parameter) ?? parameter,
    );
    // Of two with the same name and place the later one wins.
    const byPlace = new Map(all.map((parameter) => [placeOf(parameter), parameter]));
    return [method, { ...operation, parameters: [...byPlace.values()] }] as const;
  });
  return Object.fromEntries(entries);
}

/** Only one parameter can be the body. */
function placeOf(parameter: Json): string {
  const { in: place, name, $ref } = toJsonObject(parameter);
  return place === "body" ? "body" : JSON.stringify([place, name, $ref]);
}

/** Returns a task's result for a text; an exception ends the thread and becomes its `error` event. */
const tasks = { yamlToJson, swaggerToOpenApi };
const { task, text } = workerData as { task: keyof typeof tasks; text: string };
parentPort?.postMessage(await tasks[task](text));
