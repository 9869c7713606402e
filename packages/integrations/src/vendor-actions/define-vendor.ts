import type { WallClock } from "@weft/engine/ports/clock";
import type { Tool, ToolContext, ToolResult } from "@weft/engine/ports/tool";
import { templated } from "@weft/engine/template";
import {
  type CredentialType,
  type EffectKind,
  type Json,
  type JsonObject,
  type JsonSchema,
  jsonSchema,
  parseJson,
  type ToolEffect,
} from "@weft/schema";
import { z } from "zod";
import { callHttp, cutText } from "../calls/call-http.ts";
import { callFields } from "../calls/call-settings.ts";
import { defineIntegration, type Integration } from "../define-integration.ts";
import { invalidTool } from "../tool-name.ts";
import { explainRefusal, type RefusalRules } from "./refusal.ts";
import type { Signature, SignIn } from "./sign-in.ts";

/** The model's arguments, checked against the action's parameters. */
export type ActionArguments = Readonly<JsonObject>;

/**
 * A request below the vendor's base URL. In `query`, empty and absent values are omitted, and a list repeats its key.
 */
export type ActionRequest = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  query?: Readonly<Record<string, unknown>>;
  /** Names in lower case. */
  headers?: Readonly<Record<string, string>>;
  body?: JsonObject;
  /** A body other than JSON. */
  content?: { type: string; text: string };
};

/** An operation of a vendor's API: a tool. */
export type VendorAction = {
  description: string;
  effect: ToolEffect;
  /** The vendor honours `Idempotency-Key`, so that a write that may have arrived can be repeated. */
  isIdempotent?: true;
  /** By name, in the order of the form. */
  parameters: Readonly<Record<string, JsonSchema>>;
  required: readonly string[];
  /** `now`: milliseconds since the epoch. */
  toRequest(args: ActionArguments, now: number): ActionRequest;
  /** A second request that completes a call, built from the first response. */
  toNext?(answer: Json, args: ActionArguments): ActionRequest | undefined;
  /**
   * Replaces the response for the model; undefined for a response of another form. `next`: the response to the second
   * request.
   */
  toText?(answer: Json, call: { args: ActionArguments; next: Json | undefined }): string | undefined;
};

export type Vendor = RefusalRules & {
  type: string;
  title: string;
  summary: string;
  icon: string;
  /** Prefix of its tools' names. */
  prefix: string;
  /** Base URL of its API, or an example of the user's own. `help`: who needs another one. */
  address: { url: string; help?: string } | { example: string };
  signIn: SignIn;
  actions: Readonly<Record<string, VendorAction>>;
};

/** An integration with one tool per chosen action. */
export function defineVendor({ type, title, summary, icon, ...vendor }: Vendor): Integration {
  const names = Object.keys(vendor.actions);
  const ownUrl = "url" in vendor.address ? vendor.address.url : undefined;
  const ownHosts = ownUrl === undefined ? [] : [new URL(ownUrl).host];
  const config = z.object({
    credential: z
      .string()
      .max(100)
      .optional()
      .meta({
        title: "Credential",
        help: `${vendor.signIn.takes.slice(0, 1).toUpperCase()}${vendor.signIn.takes.slice(1)}.`,
        widget: "credential",
        ref: "credential",
        goesTo: [{ address: "baseUrl" }, { hosts: ownHosts }],
      }),
    actions: z
      .array(z.enum(names))
      .max(names.length)
      .default([])
      .meta({ title: "Actions", help: "What the model may do. Each is a tool of its own." }),
    defaults: z
      .record(z.string().max(100), jsonSchema)
      .default({})
      .meta({
        title: "Values",
        help: "Arguments that are used where the model gives none, by their names, or as action.name for one action alone.",
        widget: "json",
        advanced: true,
        ...templated,
      }),
    baseUrl: z
      .string()
      .trim()
      .max(2_000)
      .optional()
      .meta({
        title: "Address",
        ref: "address",
        ...("url" in vendor.address
          ? {
              help: vendor.address.help ?? "Only for a proxy in front of the API.",
              placeholder: vendor.address.url,
              advanced: true,
            }
          : { help: "Of your own site.", placeholder: vendor.address.example }),
      }),
    timeoutMs: callFields.timeoutMs,
  });
  return defineIntegration({
    type,
    title,
    summary,
    icon,
    group: "built-in",
    credentialTypes: credentialTypesOf(title, vendor.signIn, ownHosts),
    config,
    async build({ credential, actions, defaults, baseUrl = "", timeoutMs }, context) {
      const fields = credential ? await context.readCredential(credential) : {};
      const signature = vendor.signIn.read(fields);
      if (signature === undefined) throw invalidTool(type, `it needs ${vendor.signIn.takes}. Choose or create one.`);
      if (actions.length === 0) throw invalidTool(type, "it has no action. Choose one.");
      const rendered = Object.entries(defaults).map(([key, value]) => {
        return [key, typeof value === "string" ? context.render(value) : value] as const;
      });
      const address = (baseUrl || ownUrl || "").replace(/(?<!\/)\/+$/, "");
      if (!/^https?:\/\/./.test(address) || !URL.canParse(address)) {
        throw invalidTool(type, "its address is missing or is no URL. Enter it.");
      }
      return [...new Set(actions)].flatMap((name) => {
        const action = vendor.actions[name];
        if (action === undefined) return [];
        const access: Access = {
          signature,
          defaults: toDefaults(type, { name, ...action }, rendered),
          timeoutMs,
          address,
          refusals: vendor,
          clock: context.clock,
        };
        return [toTool(`${vendor.prefix}_${toSnakeCase(name)}`, action, access)];
      });
    },
  });
}

function credentialTypesOf(title: string, { credential }: SignIn, hosts: readonly string[]): CredentialType[] {
  if (credential === undefined) return [];
  const { host, ...type } = credential;
  return [{ ...type, title, hosts: host === undefined ? hosts : [...hosts, host] }];
}

/** The values for the action's parameters, in their types; its own win. Empty text counts as absent. */
function toDefaults(
  type: string,
  { name, parameters }: VendorAction & { name: string },
  rendered: readonly (readonly [string, Json])[],
) {
  const own = rendered.flatMap(([key, value]) =>
    key.startsWith(`${name}.`) ? [[key.slice(name.length + 1), value] as const] : [],
  );
  const defaults: JsonObject = {};
  for (const [key, value] of [...rendered, ...own]) {
    const parameter = Object.hasOwn(parameters, key) ? parameters[key] : undefined;
    if (parameter === undefined || value === "") continue;
    const read = typeof value === "string" ? readAs(value, parameter.type) : value;
    if (read === undefined) throw invalidTool(type, `its value for ${key} is no ${String(parameter.type)}. Change it.`);
    defaults[key] = read;
  }
  return defaults;
}

/** Templates always yield text. Undefined if it is not a value of the type. */
function readAs(text: string, type: unknown): Json | undefined {
  if (type === "boolean") return text === "true" ? true : text === "false" ? false : undefined;
  if (type !== "integer") return text;
  const number = Number(text);
  return Number.isInteger(number) ? number : undefined;
}

/** Maximum characters of a response for the model. */
const maxCharacters = 40_000;
/** Maximum bytes read of a response that is shortened to text. */
const maxReadBytes = 8_388_608;

/** Maximum characters of a response of another form than `toText` reads. */
const maxOddCharacters = 4_000;

type Access = {
  signature: Signature;
  defaults: JsonObject;
  address: string;
  timeoutMs: number;
  refusals: RefusalRules;
  clock: WallClock;
};

function toTool(name: string, action: VendorAction, access: Access): Tool {
  const { description, effect, parameters, required } = action;
  const given = access.defaults;
  return {
    name,
    description,
    kind: kindOf(action),
    effect,
    parameters: {
      type: "object",
      properties: parameters,
      required: required.filter((key) => !Object.hasOwn(given, key)),
      additionalProperties: false,
    },
    call: (args, context) => callAction({ ...given, ...args }, { action, access, context }),
  };
}

function kindOf({ effect, isIdempotent }: VendorAction): EffectKind {
  if (effect === "read") return "read";
  return isIdempotent ? "idempotent" : "write";
}

type ActionCall = { action: VendorAction; access: Access; context: ToolContext };

async function callAction(args: JsonObject, call: ActionCall): Promise<ToolResult> {
  const { action } = call;
  const request = readRequest(action, args, call.access.clock.now());
  if (request instanceof ArgumentError) return { content: request.message, isError: true };
  const { result, answer } = await sendSigned(request, call);
  const next = answer === undefined ? undefined : action.toNext?.(answer, args);
  const second = next && (await sendSigned(next, call));
  const shown = answer === undefined ? undefined : action.toText?.(answer, { args, next: second?.answer });
  const isOdd = shown === undefined && action.toText !== undefined;
  const content = cutText(shown ?? result.content, isOdd ? maxOddCharacters : maxCharacters);
  if (second?.result.isError) {
    return { ...second.result, content: `${content}\nThis was done, and then: ${second.result.content}` };
  }
  return { ...result, content };
}

/** `answer`: its JSON, which is parsed once; undefined where the vendor refused the call, and for other text. */
type Sent = { result: ToolResult; answer: Json | undefined };

/** A call with a rejected signature had no effect, so even a write is retried once with a new one. */
async function sendSigned(request: ActionRequest, { action, access, context }: ActionCall): Promise<Sent> {
  for (const isRenewed of [false, true]) {
    let signed: Record<string, string>;
    try {
      signed = await access.signature.headers(context, isRenewed);
    } catch (cause) {
      context.signal.throwIfAborted();
      if (!(cause instanceof Error)) throw cause;
      return { result: { content: cause.message, isError: true }, answer: undefined };
    }
    const result = await send(request, signed, { action, access, context });
    const isLast = isRenewed || !access.signature.isRenewable;
    if (result.details?.status === 401 && !isLast) continue;
    const answer = result.isError ? undefined : parseJson(result.content);
    const explained = explainRefusal({ result, answer }, access.refusals);
    return { result: explained, answer: explained.isError ? undefined : answer };
  }
  throw new Error("A call ends with its second answer.");
}

function readRequest(action: VendorAction, args: ActionArguments, now: number): ActionRequest | ArgumentError {
  try {
    return action.toRequest(args, now);
  } catch (error) {
    if (error instanceof ArgumentError) return error;
    throw error;
  }
}

function send(
  { method, path, query = {}, ...request }: ActionRequest,
  signed: Record<string, string>,
  { action, access, context }: ActionCall,
): Promise<ToolResult> {
  const url = new URL(access.address + (access.signature.path ?? "") + path);
  for (const [key, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== "") url.searchParams.append(key, String(one));
    }
  }
  const { body, content = body && { type: "application/json", text: JSON.stringify(body) } } = request;
  const headers = {
    ...request.headers,
    ...signed,
    accept: "application/json",
    ...(content && { "content-type": content.type }),
  };
  return callHttp(
    { method, url: url.href, shownUrl: shownUrlOf(url, access), headers, ...(content && { body: content.text }) },
    {
      kind: kindOf(action),
      timeoutMs: access.timeoutMs,
      ...(action.toText === undefined
        ? { maxBytes: 1_048_576, maxCharacters }
        : { maxBytes: maxReadBytes, maxCharacters: maxReadBytes }),
      retries: 2,
    },
    context,
  );
}

/** The URL for traces, without what signs it. */
function shownUrlOf({ href }: URL, { signature: { path } }: Access): string {
  return path === undefined ? href : href.replace(path, () => "/…");
}

function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** A path segment that cannot lead elsewhere. Throws `ArgumentError` for an impossible one. */
export function segment(value: unknown): string {
  const text = String(value ?? "").trim();
  if (/^\.{0,2}$/.test(text))
    throw new ArgumentError(`Nothing was called: "${text}" is not an id. Send the id exactly as it was listed.`);
  return encodeURIComponent(text);
}

/** Thrown by `toRequest` for invalid arguments. The model reads its message. */
export class ArgumentError extends Error {}

/** `maximum`: of characters. Default: none. */
export const text = (description: string, maximum?: number): JsonSchema => ({
  type: "string",
  description,
  ...(maximum !== undefined && { maxLength: maximum }),
});
export const count = (description: string, maximum: number): JsonSchema => ({
  type: "integer",
  description,
  minimum: 1,
  maximum,
});
export const flag = (description: string): JsonSchema => ({ type: "boolean", description });
export const choice = (description: string, values: readonly string[]): JsonSchema => ({
  type: "string",
  enum: [...values],
  description,
});

/** Splits a text at commas. */
export function listOf(value: unknown): string[] {
  return String(value ?? "")
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

/** A body without absent and empty values. */
export function bodyOf(values: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, Json] => entry[1] !== undefined && entry[1] !== ""),
  );
}
