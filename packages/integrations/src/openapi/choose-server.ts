import { type Json, type JsonObject, toJsonObject } from "@weft/schema";
import type { Outcome } from "../tool-name.ts";
import type { Operation } from "./list-operations.ts";

export type ServerOptions = {
  /** The setting, if any, with its templates resolved: overrides the document. */
  server: string | undefined;
  /** The document's origin, the base of relative addresses. */
  documentUrl: string | undefined;
};

/**
 * Base address of an operation: the setting, else the first server of the operation, its path or the document, with the
 * defaults of its variables. Fails with a message if none is absolute.
 */
export function chooseServer(root: JsonObject, operation: Operation, options: ServerOptions): Outcome<string> {
  const set = options.server?.trim();
  if (set !== undefined) {
    if (isHttp(set)) return { ok: true, value: set };
    return { ok: false, message: notAbsolute("the setting Server", set === "" ? "empty" : set) };
  }
  const servers = [operation.operation.servers, operation.pathItem.servers, root.servers].find(
    (list) => Array.isArray(list) && list.length > 0,
  );
  const url = fillVariables(toJsonObject(Array.isArray(servers) ? servers[0] : undefined));
  const base = options.documentUrl === undefined ? url : URL.parse(url || "/", options.documentUrl)?.href;
  if (base && isHttp(base)) return { ok: true, value: base };
  if (url === "")
    return { ok: false, message: "the OpenAPI file does not define a server. Enter the base address as Server." };
  return { ok: false, message: notAbsolute("the file's server", url) };
}

function notAbsolute(what: string, url: string): string {
  return `${what} is ${url.slice(0, 200)}, which is not an absolute http or https address. Enter the base address as Server.`;
}

function isHttp(url: string): boolean {
  const protocol = URL.parse(url)?.protocol;
  return protocol === "http:" || protocol === "https:";
}

function fillVariables(server: JsonObject): string {
  const url = typeof server.url === "string" ? server.url.trim() : "";
  const variables = toJsonObject(server.variables);
  return url.replaceAll(
    /\{([^{}]+)\}/g,
    (whole, name: string) => textOf(toJsonObject(variables[name]).default) ?? whole,
  );
}

function textOf(value: Json | undefined): string | undefined {
  return value === undefined || value === null ? undefined : String(value);
}
