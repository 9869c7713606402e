import { type ErrorDefinition, errorCatalogue } from "../../packages/schema/src/error-code.ts";

const errors = Object.entries<ErrorDefinition>(errorCatalogue).toSorted(([a], [b]) => (a < b ? -1 : 1));

/** `docs/errors.md`: what the catalogue of errors says, with an anchor for each code. */
export function toErrorsPage(): string {
  return `${[introduction, indexByStatus(), ...errors.map(([code, error]) => toEntry(code, error))].join("\n\n")}\n`;
}

function indexByStatus(): string {
  const statuses = [...new Set(errors.map(([, { status }]) => status))].toSorted((a, b) => a - b);
  const rows = statuses.map((status) => {
    const links = errors.filter(([, error]) => error.status === status).map(([code]) => `[${code}](#${code})`);
    return `| ${status} | ${links.join(", ")} |`;
  });
  return ["| status | errors |", "| --- | --- |", ...rows].join("\n");
}

function toEntry(code: string, { status, title, message, retryable = false }: ErrorDefinition): string {
  const retry = retryable ? "retryable" : "not retryable";
  return `### ${code}\n\`urn:weft:error:${code}\`, ${status} *${title}*, ${retry}\n\n> ${toAdvice(message)}`;
}

function toAdvice(message: string): string {
  const named = message.replaceAll("<", "&lt;").replaceAll(/\{(\w+)\}/g, "*$1*");
  return /^\*reason\*\.?$/.test(named) ? "The message says what happened and what to do." : named;
}

const introduction = `# Errors

Generated from \`packages/schema/src/error-code.ts\` by \`./weft errors\`.

Every failed request is answered with a JSON object (RFC 9457, and the members that existing clients read). \`code\` is the name of the error in this list and never changes; \`type\` is \`urn:weft:error:\` and the code; \`message\` says what happened and what to do, in the words below with values in the place of the names in italics. Runs that fail and spans that are traced carry the same codes.

\`\`\`json
{ "statusCode": 404, "success": false, "code": "not-found", "type": "urn:weft:error:not-found", "title": "Not found", "status": 404, "message": "No chatflow with the id … exists.", "requestId": "…" }
\`\`\`

A few operations answer with another status than the one below, because a row of the API that they are compatible with demands it: 400 in place of 404 or 422. An error is *retryable* here if the same request may succeed later without a change. An answer's own \`retryable\` says it of that one failure and overrides this page. A \`Retry-After\` header says how long to wait. The OpenAI-compatible API and MCP have formats of their own with the same messages.`;
