import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { callTool, sendJson, toolNamed } from "./testing/bench.ts";
import { callEveryAction, startVendor } from "./testing/vendor.ts";

const spreadsheetId = "s1";

describe("Google Sheets", () => {
  it("reads and writes cells", async (t) => {
    const vendor = await startVendor(t);
    const tools = await vendor.build("google-sheets", { actions: ["getValues", "updateValues", "appendValues"] });
    assert.deepEqual(
      tools.map(({ kind }) => kind),
      ["read", "write", "write"],
    );
    const range = "Q1 plan!A1:B2";
    await callTool(toolNamed(tools, "google_sheets_get_values"), { spreadsheetId, range }, vendor.context());
    const update = { spreadsheetId, range, values: '[["a", 1]]', valueInputOption: "RAW", majorDimension: "COLUMNS" };
    await callTool(toolNamed(tools, "google_sheets_update_values"), update, vendor.context());
    const rows = { spreadsheetId, values: "[[true, null]]", insertDataOption: "INSERT_ROWS" };
    await callTool(toolNamed(tools, "google_sheets_append_values"), rows, vendor.context());
    assert.deepEqual(
      vendor.calls().map(({ method, url, body }) => [`${method} ${url}`, body && JSON.parse(body)]),
      [
        ["GET /v4/spreadsheets/s1/values/Q1%20plan!A1%3AB2", ""],
        [
          "PUT /v4/spreadsheets/s1/values/Q1%20plan!A1%3AB2?valueInputOption=RAW",
          { range, majorDimension: "COLUMNS", values: [["a", 1]] },
        ],
        [
          "POST /v4/spreadsheets/s1/values/A1:append?valueInputOption=USER_ENTERED&insertDataOption=INSERT_ROWS",
          { range: "A1", values: [[true, null]] },
        ],
      ],
    );
  });

  it("reads, writes and empties several ranges", async (t) => {
    const vendor = await startVendor(t);
    const actions = ["batchGetValues", "batchUpdateValues", "batchClearValues"];
    const tools = await vendor.build("google-sheets", { actions });
    const places = { spreadsheetId, ranges: "A1:B2, Sheet2!C1" };
    await callTool(toolNamed(tools, "google_sheets_batch_get_values"), places, vendor.context());
    const values = '[{"range":"A1","values":[["x"]]},{"range":"Sheet2!C1","values":[[2]]}]';
    const update = { spreadsheetId, values, majorDimension: "ROWS" };
    await callTool(toolNamed(tools, "google_sheets_batch_update_values"), update, vendor.context());
    await callTool(toolNamed(tools, "google_sheets_batch_clear_values"), places, vendor.context());
    const [read, write, clear] = vendor.calls();
    assert.equal(read?.url, "/v4/spreadsheets/s1/values:batchGet?ranges=A1%3AB2&ranges=Sheet2%21C1");
    assert.deepEqual(JSON.parse(write?.body ?? ""), {
      valueInputOption: "USER_ENTERED",
      data: [
        { range: "A1", majorDimension: "ROWS", values: [["x"]] },
        { range: "Sheet2!C1", majorDimension: "ROWS", values: [[2]] },
      ],
    });
    assert.deepEqual(JSON.parse(clear?.body ?? ""), { ranges: ["A1:B2", "Sheet2!C1"] });
  });

  it("calls nothing for values that are no rows", async (t) => {
    const vendor = await startVendor(t);
    const tools = await vendor.build("google-sheets", { actions: ["appendValues", "batchUpdateValues"] });
    for (const values of ["Ana, 3", '["Ana", 3]', "[]x"]) {
      const args = { spreadsheetId, values };
      const rows = await callTool(toolNamed(tools, "google_sheets_append_values"), args, vendor.context());
      assert.match(rows.content, /Nothing was called: values must be rows as JSON/);
      const parts = await callTool(toolNamed(tools, "google_sheets_batch_update_values"), args, vendor.context());
      assert.match(parts.content, /Nothing was called: values must be a list as JSON/);
    }
    assert.deepEqual(vendor.calls(), []);
  });

  it("creates spreadsheets with sheets, and reads which ones there are without their cells", async (t) => {
    const vendor = await startVendor(t);
    const tools = await vendor.build("google-sheets", { actions: ["createSpreadsheet", "getSpreadsheet"] });
    const named = { title: "Plan", sheetCount: 2 };
    await callTool(toolNamed(tools, "google_sheets_create_spreadsheet"), named, vendor.context());
    const get = toolNamed(tools, "google_sheets_get_spreadsheet");
    await callTool(get, { spreadsheetId }, vendor.context());
    await callTool(get, { spreadsheetId, includeGridData: true }, vendor.context());
    const [create, short, long] = vendor.calls();
    assert.deepEqual(JSON.parse(create?.body ?? ""), {
      properties: { title: "Plan" },
      sheets: [{ properties: { title: "Sheet1" } }, { properties: { title: "Sheet2" } }],
    });
    assert.match(short?.url ?? "", /\?fields=spreadsheetId/);
    assert.equal(long?.url, "/v4/spreadsheets/s1?includeGridData=true");
  });

  it("tells what Google refused", async (t) => {
    const error = { code: 400, message: "Unable to parse range: Sheet9!A1", status: "INVALID_ARGUMENT" };
    const vendor = await startVendor(t, (_request, response) => sendJson(response, 400, { error }));
    const [tool] = await vendor.build("google-sheets", { actions: ["clearValues"] });
    assert.ok(tool);
    const { content, isError } = await callTool(tool, { spreadsheetId, range: "Sheet9!A1" }, vendor.context());
    assert.equal(isError, true);
    assert.match(content, /400.*Unable to parse range/);
  });

  it("makes the request of every action", async (t) => {
    const vendor = await startVendor(t);
    const part = { range: "A1", values: [[1]] };
    const requests = await callEveryAction(vendor, "google-sheets", {
      spreadsheetId,
      values: JSON.stringify([[1]]),
      "google_sheets_batch_update_values.values": JSON.stringify([part]),
    });
    assert.deepEqual(requests, [
      "POST /v4/spreadsheets",
      "GET /v4/spreadsheets/s1",
      "POST /v4/spreadsheets/s1:batchUpdate",
      "GET /v4/spreadsheets/s1/values/value",
      "PUT /v4/spreadsheets/s1/values/value",
      "POST /v4/spreadsheets/s1/values/value:append",
      "POST /v4/spreadsheets/s1/values/value:clear",
      "GET /v4/spreadsheets/s1/values:batchGet",
      "POST /v4/spreadsheets/s1/values:batchUpdate",
      "POST /v4/spreadsheets/s1/values:batchClear",
    ]);
  });
});
