import { isJsonObject, type Json, type JsonObject } from "@weft/schema";
import {
  type ActionArguments,
  ArgumentError,
  bodyOf,
  choice,
  count,
  defineVendor,
  flag,
  listOf,
  segment,
  text,
  type VendorAction,
} from "./define-vendor.ts";
import { withHeadersOf } from "./sign-in.ts";
import { itemsAt, pick, showItem, textAt } from "./vendor-answer.ts";

const baseId = text("Id of the base, such as appABC123.", 50);
const table = text("Name or id of the table.", 200);
const recordId = text("Id of the record, such as recABC123, as list_records lists it.", 50);
const fields = {
  type: "object",
  description: 'Values by the names of fields, such as {"Name":"Ana","Done":true}.',
};
const typecast = flag("Whether texts become the field's type, and new choices are made. Default no.");

const tableOf = (args: ActionArguments) => `/v0/${segment(args.baseId)}/${segment(args.table)}`;
const recordOf = (args: ActionArguments) => `${tableOf(args)}/${segment(args.recordId)}`;

/** Throws `ArgumentError` where no field is given. */
function toBody(args: ActionArguments): JsonObject {
  if (!isJsonObject(args.fields) || Object.keys(args.fields).length === 0) {
    throw new ArgumentError("Nothing was called: no field was given.");
  }
  return bodyOf({ fields: args.fields, typecast: args.typecast });
}

/** Where people, files and buttons have what a reader needs. */
const inner = ["name", "filename", "email", "url", "label", "text", "id"];

function fromCell(value: Json): Json | undefined {
  if (Array.isArray(value)) return value.slice(0, 20).flatMap((item) => fromCell(item) ?? []);
  if (isJsonObject(value)) return inner.map((key) => textAt(value, key)).find((found) => found !== undefined);
  return pick({ value }, { value: ["value", 2_000] }).value;
}

function fromRecord(record: JsonObject): JsonObject {
  const cells = isJsonObject(record.fields) ? Object.entries(record.fields).slice(0, 100) : [];
  const values = cells.map(([name, value]) => [name.slice(0, 100), fromCell(value)] as const);
  return bodyOf({ id: textAt(record, "id"), fields: bodyOf(Object.fromEntries(values)) });
}

const showRecord = (answer: Json) =>
  isJsonObject(answer) && typeof answer.id === "string" ? JSON.stringify(fromRecord(answer)) : undefined;

const actions: Record<string, VendorAction> = {
  listTables: {
    description: "Lists the tables of a base, with the names and types of their fields.",
    effect: "read",
    parameters: { baseId },
    required: ["baseId"],
    toRequest: (args) => ({ method: "GET", path: `/v0/meta/bases/${segment(args.baseId)}/tables` }),
    toText: (answer) => {
      const items = itemsAt(answer, "tables")?.map((one) => {
        const columns = itemsAt(one, "fields")?.map((field) => pick(field, { name: "name", type: "type" })) ?? [];
        return { ...pick(one, { id: "id", name: "name" }), fields: columns };
      });
      return items && JSON.stringify({ items });
    },
  },
  listRecords: {
    description: "Lists records of a table, all or those that a formula finds.",
    effect: "read",
    parameters: {
      baseId,
      table,
      formula: text("Only those of which this formula is true, such as AND({Status}='Open', {Age}>3).", 4_000),
      view: text("Only those of this view, by its name, in its order.", 200),
      fields: text("Names of the fields to read, with commas between them. Default all.", 2_000),
      sortField: text("Name of the field to sort by.", 200),
      sortDirection: choice("Default asc.", ["asc", "desc"]),
      limit: count("How many to list. Default 20.", 100),
      offset: text("Where the next part starts: the next of the last answer.", 200),
    },
    required: ["baseId", "table"],
    toRequest: ({ formula, view, fields: names, sortField, sortDirection, limit = 20, offset, ...args }) => ({
      method: "GET",
      path: tableOf(args),
      query: {
        pageSize: limit,
        filterByFormula: formula,
        view,
        "fields[]": listOf(names),
        "sort[0][field]": sortField,
        "sort[0][direction]": sortField === undefined ? undefined : sortDirection,
        offset,
      },
    }),
    toText: (answer) => {
      const items = itemsAt(answer, "records")?.map(fromRecord);
      return items && JSON.stringify({ items, ...pick(answer, { next: "offset" }) });
    },
  },
  createRecord: {
    description: "Creates a record.",
    effect: "write",
    parameters: { baseId, table, fields, typecast },
    required: ["baseId", "table", "fields"],
    toRequest: (args) => ({ method: "POST", path: tableOf(args), body: toBody(args) }),
    toText: showRecord,
  },
  updateRecord: {
    description: "Changes the given fields of a record.",
    effect: "write",
    parameters: { baseId, table, recordId, fields, typecast },
    required: ["baseId", "table", "recordId", "fields"],
    toRequest: (args) => ({ method: "PATCH", path: recordOf(args), body: toBody(args) }),
    toText: showRecord,
  },
  deleteRecord: {
    description: "Deletes a record.",
    effect: "destructive",
    parameters: { baseId, table, recordId },
    required: ["baseId", "table", "recordId"],
    toRequest: (args) => ({ method: "DELETE", path: recordOf(args) }),
    toText: (answer) => showItem(answer, { id: "id", isDeleted: "deleted" }),
  },
};

/** Records of bases. Source: airtable.com/developers/web/api. */
export const airtable = defineVendor({
  type: "airtable",
  title: "Airtable",
  summary: "Finds, creates, changes and deletes records of tables.",
  icon: "toolkit",
  prefix: "airtable",
  address: { url: "https://api.airtable.com" },
  signIn: withHeadersOf("an Airtable credential with a personal access token"),
  remedies: { 429: "Too many calls: Airtable takes five a second, and none for 30 seconds after that." },
  actions,
});
