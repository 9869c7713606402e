import type { FlowiseRow, FlowiseTable } from "@weft/flowise-source";
import type { Grant } from "@weft/http/identity";
import { isApiKey } from "@weft/identity";
import { parseJson, toolCreateSchema, variableCreateSchema, WeftError } from "@weft/schema";
import type { z } from "zod";
import type { Needs } from "../feature.ts";
import { datesOf, freshPagesOf, type ImportContext, onlyFresh, pagesOf, writeOne } from "./copy-rows.ts";
import type { TableTally } from "./report.ts";
import { unopened } from "./report.ts";

type MaterialNeeds = Needs<"apiKeys" | "credentials" | "tools" | "variables">;

/** Imports the material of flows: credentials, variables, tools and API keys. */
export async function importMaterial(context: ImportContext, needs: MaterialNeeds): Promise<void> {
  await importCredentials(context, needs);
  await importVariables(context, needs);
  await importTools(context, needs);
  await importApiKeys(context, needs);
}

async function importCredentials(context: ImportContext, { credentials }: MaterialNeeds): Promise<void> {
  for await (const { rows, tally } of freshPagesOf(context, "credential", "credentials")) {
    for (const row of rows) {
      const { id, encryptedData } = row;
      const name = row.name ?? id;
      const opened = context.source.unseal(encryptedData ?? "");
      const plainDataObj = "fields" in opened ? toFields(opened.fields) : {};
      const body = { id, name, credentialName: row.credentialName ?? "unknown", plainDataObj };
      await writeOne(context, { name, tally }, () => credentials.create(body, undefined, datesOf(row)));
      if (/oauth/i.test(body.credentialName)) {
        context.report.note(
          `The credential "${name}" (${body.credentialName}) is kept, but no step here signs in with OAuth.`,
        );
      }
      if ("fields" in opened) continue;
      const reason = unopened[opened.reason];
      context.report.note(`The credential "${name}" came without its values: ${reason}. Enter them under Credentials.`);
    }
  }
}

function toFields(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  const given = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(
    given.map(([field, value]) => [field, typeof value === "object" ? JSON.stringify(value) : String(value)]),
  );
}

async function importVariables(context: ImportContext, needs: MaterialNeeds): Promise<void> {
  const names: string[] = [];
  for await (const { rows, tally } of pagesOf(context, "variable")) {
    for (const { name, type } of rows) {
      names.push(name ?? "");
      if (type === "runtime") context.report.runtimeVariable(name ?? "");
    }
    const fresh = await onlyFresh(context, rows, { into: "variables", tally });
    for (const row of fresh) await importVariable(context, needs, { row, tally });
  }
  noteRepeated(context, names, "variables", "Flows read the one that was updated last: rename or delete the others.");
}

type RowOf<T extends FlowiseTable> = { row: FlowiseRow<T>; tally: TableTally };

async function importVariable(
  context: ImportContext,
  { variables }: MaterialNeeds,
  { row, tally }: RowOf<"variable">,
): Promise<void> {
  const { id, name, value, type } = row;
  const body = variableCreateSchema.safeParse({ id, name, value, type: type ?? "static" });
  if (!body.success) return tally.left(misfit(body.error), name || id);
  await writeOne(context, { name: name ?? id, tally }, () => variables.create(body.data, datesOf(row)));
}

async function importTools(context: ImportContext, needs: MaterialNeeds): Promise<void> {
  const names: string[] = [];
  for await (const { rows, tally } of pagesOf(context, "tool")) {
    names.push(...rows.map(({ name }) => name ?? ""));
    const fresh = await onlyFresh(context, rows, { into: "tools", tally });
    for (const row of fresh) await importTool(context, needs, { row, tally });
  }
  noteRepeated(context, names, "tools", "An agent cannot use two of one name: rename them where an agent has both.");
}

async function importTool(
  context: ImportContext,
  { tools }: MaterialNeeds,
  { row, tally }: RowOf<"tool">,
): Promise<void> {
  const { id, name, description, iconSrc, schema, func } = row;
  const given = { id, name, description, iconSrc, schema, func, color: color.test(row.color ?? "") ? row.color : null };
  const body = toolCreateSchema.safeParse(given);
  if (!body.success) return tally.left(misfit(body.error), name ?? id);
  await writeOne(context, { name: name ?? id, tally }, () => tools.create(body.data, datesOf(row)));
}

/** Colours allowed for tools. Any other colour is decoration, and no reason to skip a tool. */
const color = /^(?:#[0-9a-f]{3,8}|(?:rgba?|hsla?|linear-gradient|radial-gradient)\([\w\s#%.,()-]{1,180}\))$/i;

function misfit({ issues: [issue] }: z.ZodError): string {
  return `Its ${issue?.path.join(".") ?? "content"} ${issue?.message ?? "does not fit"}.`;
}

function noteRepeated(context: ImportContext, names: readonly string[], what: string, advice: string): void {
  for (const [name, { length }] of Map.groupBy(names, (one) => one)) {
    if (length > 1) context.report.note(`${length} ${what} are called "${name}". ${advice}`);
  }
}

async function importApiKeys(context: ImportContext, { apiKeys }: MaterialNeeds): Promise<void> {
  for await (const { rows, tally } of freshPagesOf(context, "apikey", "apiKeys")) {
    for (const row of rows) {
      const { id, apiKey } = row;
      const keyName = row.keyName?.trim() || id;
      if (apiKey === null || !isApiKey(apiKey)) {
        tally.left("Its value cannot be used as a key. Create another key and give it to its clients.", keyName);
        continue;
      }
      const key = { id, keyName, apiKey, permissions: toPermissions(row.permissions), ...datesOf(row) };
      await writeOne(context, { name: keyName, tally }, async () => {
        if (!(await apiKeys.adopt(key))) throw new WeftError("conflict", { params: { reason: "It is here already." } });
      });
    }
  }
}

/** Resources of the other server, and the permissions to read and change them here. */
const counterparts: Readonly<Record<string, { read: readonly Grant[]; write: readonly Grant[] }>> = {
  chatflows: { read: ["agents:read", "messages:read"], write: ["agents:write"] },
  agentflows: { read: ["agents:read", "messages:read"], write: ["agents:write"] },
  assistants: { read: ["assistants:read"], write: ["assistants:write"] },
  documentStores: { read: ["document-stores:read"], write: ["document-stores:write"] },
  tools: { read: ["tools:read"], write: ["tools:write"] },
  variables: { read: ["variables:read"], write: ["variables:write"] },
  credentials: { read: ["credentials:read"], write: ["credentials:write"] },
  apikeys: { read: ["apikeys:read"], write: ["apikeys:write"] },
  executions: { read: ["executions:read"], write: ["executions:write"] },
};

/** Permissions of every imported key: run agents, and continue any chat. */
const always: readonly Grant[] = [
  ...(["predictions:run", "chats:all", "messages:read", "attachments:write"] as const),
  ...(["feedback:read", "feedback:write", "leads:read", "leads:write"] as const),
];

/** Permissions of a key that predates permissions: everything with a counterpart here. */
const everything: readonly Grant[] = Object.values(counterparts).flatMap(({ read, write }) => [...read, ...write]);

/** The permissions of a key, from JSON `text` in the other server's terms; null: it has all. */
export function toPermissions(text: string | null): Grant[] {
  const listed = text === null || text.trim() === "" ? undefined : parseJson(text);
  const granted = Array.isArray(listed)
    ? listed.flatMap((name) => {
        const [resource = "", action = ""] = String(name).split(":");
        const counterpart = Object.hasOwn(counterparts, resource) ? counterparts[resource] : undefined;
        return (action === "view" ? counterpart?.read : counterpart?.write) ?? [];
      })
    : everything;
  return [...new Set([...always, ...granted])];
}
