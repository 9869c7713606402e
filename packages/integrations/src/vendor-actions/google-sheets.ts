import { isJsonObject, type Json, type JsonObject, parseJson } from "@weft/schema";
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
import { oAuth } from "./sign-in.ts";

const spreadsheetId = text("Id of the spreadsheet, as in its address.");
const range = text("Cells such as Sheet1!A1:C10.");
const ranges = text("Cells such as Sheet1!A1:C10, with commas between them.");
const values = text('The rows as JSON, such as [["Ana", 3], ["Bo", 5]].');
const majorDimension = choice("Whether the lists are rows or columns. Default ROWS.", ["ROWS", "COLUMNS"]);
const valueInputOption = choice(
  "USER_ENTERED reads values as if they were typed, with formulas and dates; RAW keeps them as they are. Default USER_ENTERED.",
  ["RAW", "USER_ENTERED"],
);
const rendering = {
  majorDimension,
  valueRenderOption: choice("How values are written. Default FORMATTED_VALUE.", [
    "FORMATTED_VALUE",
    "UNFORMATTED_VALUE",
    "FORMULA",
  ]),
  dateTimeRenderOption: choice("How dates are written where values are not formatted.", [
    "SERIAL_NUMBER",
    "FORMATTED_STRING",
  ]),
};

const spreadsheetOf = (args: ActionArguments) => `/v4/spreadsheets/${segment(args.spreadsheetId)}`;
const valuesOf = (args: ActionArguments) => `${spreadsheetOf(args)}/values`;
const rangeOf = (args: ActionArguments) => `${valuesOf(args)}/${segment(args.range)}`;

function readJson(value: Json | undefined): unknown {
  return typeof value === "string" ? parseJson(value) : value;
}

function toRows(value: Json | undefined): Json[] {
  const rows = readJson(value);
  if (Array.isArray(rows) && rows.every(Array.isArray)) return rows;
  throw new ArgumentError('Nothing was called: values must be rows as JSON, such as [["Ana", 3], ["Bo", 5]].');
}

/** Rows for each of several ranges. */
function toData(value: Json | undefined, majorDimension: Json | undefined): JsonObject[] {
  const parts = readJson(value);
  if (Array.isArray(parts) && parts.length > 0 && parts.every(isJsonObject)) {
    return parts.map((part) =>
      bodyOf({ range: String(part.range ?? ""), majorDimension, values: toRows(part.values) }),
    );
  }
  throw new ArgumentError(
    'Nothing was called: values must be a list as JSON, such as [{"range": "Sheet1!A1", "values": [["Ana", 3]]}].',
  );
}

function toValues({ range: place, majorDimension: dimension, values: rows }: ActionArguments): JsonObject {
  return bodyOf({ range: place, majorDimension: dimension, values: toRows(rows) });
}

const spreadsheets: Record<string, VendorAction> = {
  createSpreadsheet: {
    description: "Creates a spreadsheet.",
    effect: "write",
    parameters: { title: text("The title."), sheetCount: count("How many sheets it has. Default 1.", 50) },
    required: ["title"],
    toRequest: ({ title, sheetCount = 1 }) => ({
      method: "POST",
      path: "/v4/spreadsheets",
      query: { fields: "spreadsheetId,spreadsheetUrl,sheets(properties(sheetId,title))" },
      body: bodyOf({
        properties: bodyOf({ title }),
        sheets: Array.from({ length: Number(sheetCount) }, (_, at) => ({ properties: { title: `Sheet${at + 1}` } })),
      }),
    }),
  },
  getSpreadsheet: {
    description: "Reads the title of a spreadsheet and which sheets it has.",
    effect: "read",
    parameters: { spreadsheetId, includeGridData: flag("Whether the cells with their format are read, too.") },
    required: ["spreadsheetId"],
    toRequest: ({ includeGridData, ...args }) => ({
      method: "GET",
      path: spreadsheetOf(args),
      query:
        includeGridData === true
          ? { includeGridData }
          : { fields: "spreadsheetId,spreadsheetUrl,properties(title,locale,timeZone),sheets(properties)" },
    }),
  },
  updateSpreadsheet: {
    description: "Changes the title of a spreadsheet.",
    effect: "write",
    parameters: { spreadsheetId, title: text("The new title.") },
    required: ["spreadsheetId", "title"],
    toRequest: ({ title, ...args }) => ({
      method: "POST",
      path: `${spreadsheetOf(args)}:batchUpdate`,
      body: { requests: [{ updateSpreadsheetProperties: { properties: bodyOf({ title }), fields: "title" } }] },
    }),
  },
};

const cells: Record<string, VendorAction> = {
  getValues: {
    description: "Reads cells.",
    effect: "read",
    parameters: { spreadsheetId, range, ...rendering },
    required: ["spreadsheetId", "range"],
    toRequest: ({ majorDimension: dimension, valueRenderOption, dateTimeRenderOption, ...args }) => ({
      method: "GET",
      path: rangeOf(args),
      query: { majorDimension: dimension, valueRenderOption, dateTimeRenderOption },
    }),
  },
  updateValues: {
    description: "Writes into cells, over what is there.",
    effect: "write",
    parameters: { spreadsheetId, range, values, valueInputOption, majorDimension },
    required: ["spreadsheetId", "range", "values"],
    toRequest: ({ valueInputOption: input = "USER_ENTERED", ...args }) => ({
      method: "PUT",
      path: rangeOf(args),
      query: { valueInputOption: input },
      body: toValues(args),
    }),
  },
  appendValues: {
    description: "Adds rows below a table.",
    effect: "write",
    parameters: {
      spreadsheetId,
      range: text("Cells of the table, such as Sheet1!A1:C1. Default A1, the first table of the first sheet."),
      values,
      valueInputOption,
      insertDataOption: choice("Whether rows are inserted, or written over what is below. Default OVERWRITE.", [
        "OVERWRITE",
        "INSERT_ROWS",
      ]),
      majorDimension,
    },
    required: ["spreadsheetId", "values"],
    toRequest: ({ range: place, valueInputOption: input = "USER_ENTERED", insertDataOption, ...args }) => ({
      method: "POST",
      path: `${rangeOf({ ...args, range: place || "A1" })}:append`,
      query: { valueInputOption: input, insertDataOption },
      body: toValues({ ...args, range: place || "A1" }),
    }),
  },
  clearValues: {
    description: "Empties cells, whose format stays.",
    effect: "destructive",
    parameters: { spreadsheetId, range },
    required: ["spreadsheetId", "range"],
    toRequest: (args) => ({ method: "POST", path: `${rangeOf(args)}:clear`, body: {} }),
  },
  batchGetValues: {
    description: "Reads several ranges of cells.",
    effect: "read",
    parameters: { spreadsheetId, ranges, ...rendering },
    required: ["spreadsheetId", "ranges"],
    toRequest: ({ ranges: places, majorDimension: dimension, valueRenderOption, dateTimeRenderOption, ...args }) => ({
      method: "GET",
      path: `${valuesOf(args)}:batchGet`,
      query: { ranges: listOf(places), majorDimension: dimension, valueRenderOption, dateTimeRenderOption },
    }),
  },
  batchUpdateValues: {
    description: "Writes into several ranges of cells, over what is there.",
    effect: "write",
    parameters: {
      spreadsheetId,
      values: text('Rows for each range as JSON, such as [{"range": "Sheet1!A1", "values": [["Ana", 3]]}].'),
      valueInputOption,
      majorDimension,
    },
    required: ["spreadsheetId", "values"],
    toRequest: ({ valueInputOption: input = "USER_ENTERED", values: parts, majorDimension: dimension, ...args }) => ({
      method: "POST",
      path: `${valuesOf(args)}:batchUpdate`,
      body: { valueInputOption: input, data: toData(parts, dimension) },
    }),
  },
  batchClearValues: {
    description: "Empties several ranges of cells, whose format stays.",
    effect: "destructive",
    parameters: { spreadsheetId, ranges },
    required: ["spreadsheetId", "ranges"],
    toRequest: ({ ranges: places, ...args }) => ({
      method: "POST",
      path: `${valuesOf(args)}:batchClear`,
      body: { ranges: listOf(places) },
    }),
  },
};

/** A person's spreadsheets. Source: developers.google.com/workspace/sheets/api/reference/rest. */
export const googleSheets = defineVendor({
  type: "google-sheets",
  title: "Google Sheets",
  summary: "Reads and writes cells of spreadsheets, and creates spreadsheets.",
  icon: "toolkit",
  prefix: "google_sheets",
  address: { url: "https://sheets.googleapis.com" },
  signIn: oAuth("googleSheetsOAuth2", "https://oauth2.googleapis.com/token"),
  actions: { ...spreadsheets, ...cells },
});
