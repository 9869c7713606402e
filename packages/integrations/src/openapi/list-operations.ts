import { isJsonObject, type Json, type JsonObject, toJsonObject } from "@weft/schema";
import { toToolName } from "../tool-name.ts";
import { resolveReference } from "./resolve-reference.ts";

const methods = ["get", "post", "put", "patch", "delete", "head", "options"] as const;

/** One operation as the document has it. */
export type Operation = {
  /** Name of its tool: the operationId, otherwise made from method and path. */
  name: string;
  operationId: string | undefined;
  /** Upper case. */
  method: string;
  path: string;
  pathItem: JsonObject;
  operation: JsonObject;
};

/** Every operation under `paths`, in the document's order. */
export function listOperations(root: JsonObject): Operation[] {
  return Object.entries(toJsonObject(root.paths)).flatMap(([path, item]) => {
    if (!path.startsWith("/")) return [];
    const pathItem = toJsonObject(resolveReference(root, item));
    return methods.flatMap((method) => {
      const operation = pathItem[method];
      if (!isJsonObject(operation)) return [];
      return [toOperation(method.toUpperCase(), path, pathItem, operation)];
    });
  });
}

/** Whether a filter entry (`operationId`, tool name or `METHOD /path`) matches this operation. */
export function isNamed(operation: Operation, entry: string): boolean {
  const wanted = entry.trim();
  if (wanted === operation.operationId || wanted === operation.name) return true;
  const [method = "", path] = wanted.split(/\s+/);
  return path === operation.path && method.toUpperCase() === operation.method;
}

/** The operation as a reader of the document would call it. */
export function describeOperation({ method, path }: Operation): string {
  return `${method} ${path}`;
}

function toOperation(method: string, path: string, pathItem: JsonObject, operation: JsonObject): Operation {
  const operationId = readText(operation.operationId);
  const name = toToolName(operationId ?? `${method.toLowerCase()}${path}`, "operation");
  return {
    name: name === method.toLowerCase() ? `${name}_root` : name,
    operationId,
    method,
    path,
    pathItem,
    operation,
  };
}

function readText(value: Json | undefined): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}
