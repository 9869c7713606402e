import { flowFactsOf, guardHttp } from "@weft/engine/agent";
import { defineNode, type NodeContext, type NodeProblem } from "@weft/engine/node";
import type { HttpClient } from "@weft/engine/ports/http-client";
import { mayCallHosts, missingModulesSentence } from "@weft/engine/ports/sandbox";
import type { SqlClient } from "@weft/engine/ports/sql-client";
import { templated } from "@weft/engine/template";
import { type Json, type JsonObject, parseJsonOrText, WeftError } from "@weft/schema";
import { z } from "zod";
import { conversationOf, responseRoleOr } from "./prompt.ts";

const functionConfig = z.object({
  variables: z
    .array(
      z.strictObject({
        name: z.string().max(100).meta({ title: "Name", help: "The code reads it as $name." }),
        value: z
          .string()
          .max(200_000)
          .default("")
          .meta({ title: "Value", ...templated }),
      }),
    )
    .max(100)
    .default([])
    .meta({ title: "Input variables", widget: "rows", item: "variable" }),
  code: z.string().max(200_000).default("").meta({
    title: "JavaScript",
    help: "The body of an async function; end it with return. It can use $vars, $flow, $input, your variables and fetch.",
    widget: "javascript",
  }),
  timeoutMs: z.number().int().min(1).max(300_000).default(30_000).meta({ title: "Time limit (ms)", advanced: true }),
  idempotent: z.boolean().default(false).meta({
    title: "May be repeated",
    help: "By default, code that uses fetch runs at most once. Turn this on if running it twice does no harm.",
    advanced: true,
  }),
  responseRole: responseRoleOr("none"),
});
type FunctionConfig = z.infer<typeof functionConfig>;

/** Runs JavaScript of the flow's author in the sandbox. */
export const customFunction = defineNode({
  type: "custom-function",
  version: 1,
  title: "Custom function",
  summary: "Runs your own JavaScript.",
  group: "action",
  icon: "code",
  config: functionConfig,
  review: ({ code }) => reviewCode(code),
  async execute(context, config) {
    const { code, timeoutMs } = config;
    const { sandbox, sql } = context.services;
    const http = guardHttp(context, context.services.http);
    // Code that mentions neither fetch nor a module that calls out gets none, so that it has no effects and may run
    // again.
    const calls = mayCallHosts(code);
    const kind = calls ? (config.idempotent ? "idempotent" : "write") : "read";
    const globals = globalsOf(context, config);
    const shown = Object.fromEntries(Object.entries(globals).filter(([name]) => !builtIn.has(name)));
    const { value } = await context.effect(
      { key: "function", kind, category: "function", name: context.label, input: shown },
      async ({ signal }) => {
        const outside = noteFailures(http, sql);
        const asked = calls ? { http: outside.http, sql: outside.sql } : {};
        const result = await sandbox.run({ code, globals, timeoutMs, signal, ...asked });
        if (!result.ok) throw http.refusal() ?? failure(context, result.error, outside.said(result.error.message));
        return { value: result.value, logs: result.logs };
      },
    );
    const content = toText(value);
    return {
      type: "completed",
      output: { content, data: typeof value === "string" ? parseJsonOrText(value) : value },
      text: content,
      ...(content === "" || config.responseRole === "none"
        ? {}
        : { messages: conversationOf("", content, config.responseRole) }),
    };
  },
});

function reviewCode(code: string): NodeProblem[] {
  const path = "code";
  if (code.trim() === "") {
    const message = "It has no code, so it returns nothing. Write a function body that ends with return.";
    return [{ level: "warning", code: "code-missing", path, message }];
  }
  const missing = missingModulesSentence(code, "Its function");
  return missing === undefined ? [] : [{ level: "error", code: "code-module-unavailable", path, message: missing }];
}

const builtIn = new Set(["$vars", "$flow", "$input"]);

function globalsOf(context: NodeContext, { variables }: FunctionConfig): JsonObject {
  const own = variables
    .filter(({ name }) => name.trim() !== "")
    .map(({ name, value }) => [`$${name.trim().replace(/^\$/, "")}`, context.render(value)] as const);
  const flow = flowFactsOf(context);
  return { ...Object.fromEntries(own), $vars: context.vars, $flow: flow, $input: flow.input ?? "" };
}

/** The same clients, and a check whether a text repeats one of their failures. */
function noteFailures(http: HttpClient, sql: SqlClient) {
  const reasons: string[] = [];
  const asks: SqlClient["run"] = async (call) => {
    const outcome = await sql.run(call);
    if (!outcome.ok) reasons.push(outcome.reason);
    return outcome;
  };
  const request: HttpClient["request"] = (call) =>
    http.request(call).catch((cause: unknown) => {
      if (cause instanceof Error) reasons.push(cause.message);
      throw cause;
    });
  return {
    http: { ...http, request },
    sql: { ...sql, run: asks },
    said: (text: string) => reasons.some((reason) => reason !== "" && text.includes(reason)),
  };
}

type CodeError = { name: string; message: string };

/** Messages of a called service or database are for the flow's editors, not for its visitors. */
function failure({ label }: NodeContext, { name, message }: CodeError, isOfService: boolean): WeftError {
  const reason = `${label}: ${name}: ${message}`;
  if (isOfService) return new WeftError("tool-failed", { message: reason, retryable: false });
  return new WeftError("flow-node-failed", { params: { reason } });
}

function toText(value: Json): string {
  if (value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
