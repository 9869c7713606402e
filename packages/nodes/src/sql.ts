import { guardCall } from "@weft/engine/agent";
import { defineNode, type NodeContext, type NodeProblem } from "@weft/engine/node";
import type { SqlResult } from "@weft/engine/ports/sql-client";
import { reviewDatabase, sqlFields, toCall, toContent } from "@weft/engine/sql";
import { parseTemplate, templated } from "@weft/engine/template";
import { type Json, type JsonObject, WeftError } from "@weft/schema";
import { z } from "zod";

const config = z.object({
  ...sqlFields,
  statement: z
    .string()
    .max(50_000)
    .default("")
    .meta({
      title: "Statement",
      help: "One SQL statement. A {{ reference }} in it becomes a bound value: write it without quotes. A text that is only one reference is the statement itself, which may only read.",
      placeholder: "SELECT * FROM orders WHERE customer = {{ question }}",
      widget: "textarea",
      ...templated,
    }),
});
type SqlNodeConfig = z.infer<typeof config>;

/** Queries an SQL database as a step of the flow. */
export const sql = defineNode({
  type: "sql",
  version: 1,
  title: "SQL query",
  summary: "Runs a statement on an SQL database and passes on its rows.",
  group: "action",
  icon: "database",
  outline: ["statement"],
  bringsData: true,
  config,
  review: (settings) => [...reviewDatabase(settings), ...reviewStatement(settings)],
  async execute(context, settings) {
    const query = toQuery(context, settings);
    const { allowWrites } = settings;
    if (allowWrites) {
      const effect = context.services.sql.effectOf(settings.engine, query.statement);
      const guarded = guardCall(context, { name: "SQL", args: query, key: "sql", effect });
      if (guarded.type === "suspend") return guarded;
      if (guarded.type === "refused") throw new WeftError("flow-call-refused", { params: { reason: guarded.message } });
    }
    const output = await context.effect(
      {
        key: "sql",
        kind: allowWrites ? "write" : "read",
        category: "tool",
        name: "SQL",
        input: query,
        ...(allowWrites ? {} : { isTransient: ({ retryable }) => retryable }),
      },
      async ({ signal }) => {
        const call = await toCall(settings, context.services.readCredential);
        const outcome = await context.services.sql.run({ ...call, ...query, signal });
        if (!outcome.ok) throw refusedByDatabase(`${context.label}: ${outcome.reason}`, outcome.retryable);
        return { ...outcome.value };
      },
    );
    return { type: "completed", output, text: toContent(output satisfies SqlResult) };
  },
});

function reviewStatement({ statement, allowWrites }: SqlNodeConfig): NodeProblem[] {
  const problem = (code: string, message: string) => [{ level: "error" as const, code, path: "statement", message }];
  if (statement.trim() === "") return problem("sql-statement-missing", "It has no statement. Enter one.");
  if (!allowWrites || !isOneReference(statement)) return [];
  return problem("sql-statement-foreign", foreignStatement);
}

const foreignStatement =
  "Its whole statement comes from elsewhere, so it may only read. Switch off Allow changes, or write the statement here with references for its values.";

function isOneReference(statement: string): boolean {
  const parts = parseTemplate(statement.trim());
  return parts.length === 1 && parts[0]?.kind === "reference";
}

type Query = { statement: string; parameters: Json[] } & JsonObject;

/** References become numbered values. Their texts never become part of the statement. */
function toQuery(context: NodeContext, { statement, allowWrites }: SqlNodeConfig): Query {
  if (isOneReference(statement)) {
    if (allowWrites) throw failed(`${context.label}: ${foreignStatement}`);
    return { statement: context.renderText(statement.trim()), parameters: [] };
  }
  const parameters: Json[] = [];
  const parts = parseTemplate(statement).map((part) =>
    part.kind === "text" ? part.text : `$${parameters.push(context.render(part.source))}`,
  );
  return { statement: parts.join(""), parameters };
}

/** The message of a failed tool: a database's messages are for the flow's editors, not for its visitors. */
function refusedByDatabase(message: string, retryable: boolean): WeftError {
  return new WeftError("tool-failed", { message, retryable });
}

function failed(reason: string): WeftError {
  return new WeftError("flow-node-failed", { params: { reason } });
}
