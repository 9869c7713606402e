import { type ReferenceRow, referenceRows } from "../reference-rows.ts";
import type { ConformanceCase } from "./cases.ts";

const introduction = `# Conformance

Made by \`./weft conformance\`. \`packages/server/src/testing/conformance\` makes every request below on SQLite and on
PostgreSQL, and checks the status and the body against the OpenAPI document.

Besides what is listed, a path that nothing has answers 404, and a method that a path does not take 405 with \`Allow\`:
both are checked, the latter for every path. Any operation may answer 429 and 503 where they are the truth.

Statuses with a + are additions to the rows of the reference: 401 and 403 (identity), 409 and 412 (\`Idempotency-Key\`,
\`If-Match\`), 413 and 415 (bodies), 429 (limits), 400 for a query or a body that cannot be read, and 500 for a fault of
the server, which no operation can exclude.

## Rows of the reference

| Row | Statuses of the row | Operation |
|---|---|---|`;

/** `docs/conformance.md`: the reference's rows, and how each status of each operation is produced. */
export function toConformanceText(cases: readonly ConformanceCase[]): string {
  const sections = [...new Set(referenceRows.map(({ section }) => section))];
  const served = new Set(referenceRows.map(({ operationId }) => operationId));
  const others = new Set(cases.map(({ operation }) => operation.id).filter((id) => !served.has(id)));
  const lines = [
    introduction,
    ...referenceRows.map(toRow),
    ...sections.flatMap((section) => toSection(section, cases)),
    "",
    "## Further operations",
    ...[...others].flatMap((id) => toOperation(cases.filter(({ operation }) => operation.id === id))),
  ];
  return `${lines.join("\n")}\n`;
}

function toRow({ method, path, statuses, operationId }: ReferenceRow): string {
  const served = `\`${operationId}\``;
  return `| \`${method} ${path}\` | ${statuses.join(" ")} | ${served} |`;
}

function toSection(section: string, cases: readonly ConformanceCase[]): string[] {
  const rows = referenceRows.filter((row) => row.section === section && row.operationId !== undefined);
  const tables = rows.flatMap(({ operationId, statuses }) =>
    toOperation(
      cases.filter(({ operation }) => operation.id === operationId),
      statuses,
    ),
  );
  return tables.length === 0 ? [] : ["", `## ${section}`, ...tables];
}

function toOperation(cases: readonly ConformanceCase[], row?: readonly number[]): string[] {
  const [first] = cases;
  if (first === undefined) return [];
  const { id, method, path } = first.operation;
  const lines = cases.map(({ status, how }) => {
    const isAdded = row !== undefined && !row.includes(status);
    return `| ${status}${isAdded ? "+" : ""} | ${how} |`;
  });
  return ["", `### \`${method} ${path}\` (\`${id}\`)`, "", "| Status | Produced by |", "|---|---|", ...lines];
}
