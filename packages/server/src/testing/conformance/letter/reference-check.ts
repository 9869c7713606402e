import { type ReferenceRow, referenceRows } from "../reference-rows.ts";
import type { ConformanceCase } from "../testing/cases.ts";
import type { Proof } from "./proof.ts";
import { addedFields, fieldDifferences, type ResourceName, resourceFields } from "./resource-fields.ts";
import { rowShapes } from "./row-shapes.ts";
import {
  additionProof,
  fieldProof,
  otherStatusProof,
  type Statement,
  shapeProof,
  statements,
  statusProof,
} from "./statements.ts";

const introduction = `# The reference, statement by statement

Made by \`./weft conformance\`, which fails when a test that is named here does not exist. Each statement of the
reference stands with the test that checks it; a deliberate difference stands with its reason.`;

/** Why a row answers a status that the reference does not list for it. Source: contract "Statuses and errors". */
export const otherStatuses: Readonly<Record<number, string>> = {
  400: "a query, a form or a body that cannot be read",
  401: "a bearer that is missing or wrong",
  403: "a bearer without the permission",
  409: "an id or an Idempotency-Key that is taken, or a run that is",
  412: "an If-Match that is stale",
  413: "a body beyond the limit",
  415: "a body of a type that is not taken",
  429: "more than the limits let through",
  500: "a fault of the server",
};

/** Every statement: the fields of its resources, the statuses of its rows, and its sentences. */
export function listStatements(cases: readonly ConformanceCase[]): Statement[] {
  return [
    ...statements,
    ...toFieldStatements(),
    ...referenceRows.flatMap(toShapeStatements),
    ...referenceRows.flatMap((row) => toStatusStatements(row, cases)),
    ...referenceRows.map((row) => toOtherStatuses(row, cases)),
  ];
}

function toFieldStatements(): Statement[] {
  return Object.entries(resourceFields).flatMap(([resource, fields]) => [
    ...Object.entries(fields).map(([field, type]) => ({
      section: "Fields",
      text: `${resource}.${field}: ${type}`,
      proof: fieldProof,
      ...differing(fieldDifferences[`${resource}.${field}`]),
    })),
    toAdditions(resource as ResourceName),
  ]);
}

function toAdditions(resource: ResourceName): Statement {
  const [added, why] = addedFields[resource] ?? [[], ""];
  const text = `${resource} has the fields above`;
  const difference = added.length === 0 ? undefined : `Also ${added.join(", ")}. ${why}`;
  return { section: "Fields", text, proof: additionProof, ...differing(difference) };
}

function differing(difference: string | undefined): Pick<Statement, "difference"> {
  return difference === undefined ? {} : { difference };
}

/** Throws where nothing says why a row answers another status than its own. */
function toOtherStatuses({ method, path, statuses, operationId }: ReferenceRow, cases: readonly ConformanceCase[]) {
  const answered = new Set(cases.flatMap(({ operation, status }) => (operation.id === operationId ? [status] : [])));
  const others = [...answered].filter((status) => !statuses.includes(status)).toSorted();
  const reasons = others.map((status) => {
    const why = otherStatuses[status];
    if (why === undefined) throw new Error(`${method} ${path} answers ${status}, which its row does not list.`);
    return `${status}: ${why}`;
  });
  const difference = reasons.length === 0 ? undefined : `Also ${reasons.join("; ")}.`;
  const text = `${method} ${path} answers the statuses of its row`;
  return { section: "Other statuses", text, proof: otherStatusProof, ...differing(difference) } satisfies Statement;
}

function toShapeStatements({ method, path, operationId }: ReferenceRow): Statement[] {
  const shape = rowShapes.find((one) => one.operationId === operationId);
  if (shape === undefined) throw new Error(`Nothing says what ${method} ${path} takes and answers.`);
  return [
    { section: "Requests and answers", text: `${method} ${path} takes: ${shape.takes}`, proof: shapeProof },
    { section: "Requests and answers", text: `${method} ${path} answers: ${shape.answers}`, proof: shapeProof },
  ];
}

/** Throws where no request produces a status of the row: every one must be seen. */
function toStatusStatements({ method, path, statuses, operationId }: ReferenceRow, cases: readonly ConformanceCase[]) {
  return statuses.map((status): Statement => {
    const made = cases.find((one) => one.operation.id === operationId && one.status === status);
    if (made === undefined) throw new Error(`No request produces ${status} of ${method} ${path}.`);
    return { section: "Statuses", text: `${method} ${path} answers ${status}: ${made.how}`, proof: statusProof };
  });
}

/** `docs/reference-check.md`. */
export function toReferenceCheckText(all: readonly Statement[]): string {
  const sections = [...Map.groupBy(all, ({ section }) => section)];
  const different = all.filter(({ difference }) => difference !== undefined).length;
  const count = `${all.length} statements: ${all.length - different} hold to the letter, ${different} with a difference.`;
  return `${[introduction, "", count, ...sections.flatMap(toSection)].join("\n")}\n`;
}

function toSection([title, list]: [string, readonly Statement[]]): string[] {
  const rows = list.map(
    ({ text, proof, difference = "" }) => `| ${toCellText(text)} | ${toCell(proof)} | ${toCellText(difference)} |`,
  );
  return ["", `## ${title}`, "", "| Statement | Test | Difference, and why |", "|---|---|---|", ...rows];
}

function toCell({ file, test }: Proof): string {
  return `\`${file.slice(file.lastIndexOf("/") + 1)}\`: ${toCellText(test)}`;
}

function toCellText(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
