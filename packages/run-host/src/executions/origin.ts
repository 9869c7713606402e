import type { Tables } from "@weft/database";
import type { ExecutionOrigin } from "@weft/schema";
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from "kysely";
import type { VisibleRun } from "../run-tables.ts";

/** Owners of the chats that triggers begin: those of the clients `schedule:<agent>` and `webhook:<agent>`. */
const triggers = { schedule: "client:schedule:", webhook: "client:webhook:" } as const;
const visitors = ["anonymous", ""];

/** What a run was started by, by what it keeps of its chat. Runs that another run calls have the origin of that one. */
export function originOf({ chatType, owner }: VisibleRun): ExecutionOrigin {
  if (chatType === "INTERNAL") return "builder";
  if (owner.startsWith(triggers.schedule)) return "schedule";
  if (owner.startsWith(triggers.webhook)) return "webhook";
  return visitors.includes(owner) ? "visitor" : "api";
}

type Runs = ExpressionBuilder<Tables, "runs">;

/** The runs for which `originOf` gives this. */
export function isFrom(eb: Runs, origin: ExecutionOrigin): Expression<SqlBool> {
  const isInternal = eb("runs.chatType", "=", sql.lit("INTERNAL"));
  if (origin === "builder") return isInternal;
  const isOwnedByVisitor = eb("runs.owner", "in", visitors.map(sql.lit));
  const isOf = {
    visitor: isOwnedByVisitor,
    schedule: begins(eb, triggers.schedule),
    webhook: begins(eb, triggers.webhook),
    api: eb.not(eb.or([isOwnedByVisitor, begins(eb, triggers.schedule), begins(eb, triggers.webhook)])),
  } as const;
  return eb.and([eb.not(isInternal), isOf[origin]]);
}

/** Compared by code point on both databases. */
function begins(eb: Runs, start: string): Expression<SqlBool> {
  return eb(sql<string>`substr(${eb.ref("runs.owner")}, 1, ${sql.lit(start.length)})`, "=", sql.lit(start));
}
