import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { callTool, sendJson, toolNamed } from "./testing/bench.ts";
import { callEveryAction, startVendor } from "./testing/vendor.ts";

/** The query of a request without the selector of fields. */
function queryOf(url = ""): string {
  const { searchParams } = new URL(url, "http://a.example");
  searchParams.delete("fields");
  return searchParams.toString();
}

describe("Google Drive", () => {
  it("creates files with their content in one request", async (t) => {
    const vendor = await startVendor(t);
    const [tool] = await vendor.build("google-drive", { actions: ["createFile"] });
    assert.ok(tool);
    const file = { fileName: "a.csv", mimeType: "text/csv", parentFolderId: "f1", description: "Ages" };
    await callTool(tool, { ...file, fileContent: "name;part\nAna;3" }, vendor.context());
    await callTool(tool, file, vendor.context());
    const [upload, bare] = vendor.calls();
    assert.match(upload?.url ?? "", /^\/upload\/drive\/v3\/files\?uploadType=multipart&fields=id/);
    assert.equal(upload?.headers["content-type"], "multipart/related; boundary=part-part");
    const metadata = { name: "a.csv", mimeType: "text/csv", description: "Ages", parents: ["f1"] };
    assert.equal(
      upload?.body,
      [
        "--part-part",
        "Content-Type: application/json; charset=UTF-8",
        "",
        JSON.stringify(metadata),
        "--part-part",
        "Content-Type: text/csv; charset=UTF-8",
        "",
        "name;part\nAna;3",
        "--part-part--",
      ].join("\r\n"),
    );
    assert.match(bare?.url ?? "", /^\/drive\/v3\/files\?/);
    assert.deepEqual(JSON.parse(bare?.body ?? ""), metadata);
  });

  it("makes documents of text, and takes no type that is none", async (t) => {
    const vendor = await startVendor(t);
    const [tool] = await vendor.build("google-drive", { actions: ["createFile"] });
    assert.ok(tool);
    const mimeType = "application/vnd.google-apps.document";
    await callTool(tool, { fileName: "Plan", fileContent: "Hi", mimeType }, vendor.context());
    assert.match(vendor.calls()[0]?.body ?? "", /"mimeType":"application\/vnd\.google-apps\.document".*text\/plain/s);
    const bad = { fileName: "Plan", fileContent: "Hi", mimeType: "a/b\r\nX: 1" };
    assert.match((await callTool(tool, bad, vendor.context())).content, /Nothing was called.*no MIME type/s);
    assert.equal(vendor.calls().length, 1);
  });

  it("searches by words or by a query of Drive, and lists folders", async (t) => {
    const vendor = await startVendor(t);
    const tools = await vendor.build("google-drive", { actions: ["searchFiles", "listFolderContents", "listFiles"] });
    const search = toolNamed(tools, "google_drive_search_files");
    await callTool(search, { searchQuery: "Ana's plan in May", orderBy: "name" }, vendor.context());
    await callTool(search, { searchQuery: "name contains 'plan'", maxResults: 3 }, vendor.context());
    const folder = { folderId: "f' or '1", supportsAllDrives: true };
    await callTool(toolNamed(tools, "google_drive_list_folder_contents"), folder, vendor.context());
    const list = toolNamed(tools, "google_drive_list_files");
    await callTool(list, { fields: "id, owners" }, vendor.context());
    const queries = vendor.calls().map(({ url }) => new URL(url, vendor.base).searchParams);
    assert.deepEqual(
      queries.map((query) => query.get("q")),
      [
        "fullText contains 'Ana\\'s plan in May' and trashed = false",
        "name contains 'plan'",
        "'f\\' or \\'1' in parents and trashed = false",
        null,
      ],
    );
    assert.equal(queries[2]?.get("includeItemsFromAllDrives"), "true");
    assert.equal(queries[3]?.get("fields"), "nextPageToken,files(id, owners)");
  });

  it("reads content, and exports documents of Google", async (t) => {
    const vendor = await startVendor(t, (request, response) => {
      const type = request.url.includes("/export") ? "text/plain" : "application/octet-stream";
      response.writeHead(200, { "content-type": type }).end(type === "text/plain" ? "The plan" : Buffer.from([0, 1]));
    });
    const [tool] = await vendor.build("google-drive", { actions: ["downloadFile"] });
    assert.ok(tool);
    const text = await callTool(tool, { fileId: "1", exportAs: "text/plain" }, vendor.context());
    assert.equal(text.content, "The plan");
    const binary = await callTool(tool, { fileId: "1", acknowledgeAbuse: true }, vendor.context());
    assert.match(binary.content, /a binary answer/);
    assert.deepEqual(
      vendor.calls().map(({ url }) => url),
      ["/drive/v3/files/1/export?mimeType=text%2Fplain", "/drive/v3/files/1?alt=media&acknowledgeAbuse=true"],
    );
  });

  it("shares with those who are named, and hands over only to a new owner", async (t) => {
    const vendor = await startVendor(t);
    const [tool] = await vendor.build("google-drive", { actions: ["shareFile"] });
    assert.ok(tool);
    const share = (args: Record<string, string | boolean>) =>
      callTool(tool, { fileId: "1", shareRole: "reader", ...args }, vendor.context());
    await share({ emailAddress: "ana@example.org", sendNotificationEmail: false, emailMessage: "Hi" });
    await share({ shareType: "anyone", sendNotificationEmail: false, emailAddress: "ana@example.org" });
    await share({ shareRole: "owner", emailAddress: "bo@example.org" });
    assert.match((await share({ shareType: "group" })).content, /emailAddress is needed for a group/);
    assert.match((await share({ shareType: "domain" })).content, /domainName is needed/);
    assert.deepEqual(
      vendor.calls().map(({ url, body }) => [queryOf(url), JSON.parse(body)]),
      [
        [
          "sendNotificationEmail=false&emailMessage=Hi",
          { role: "reader", type: "user", emailAddress: "ana@example.org" },
        ],
        ["", { role: "reader", type: "anyone" }],
        ["transferOwnership=true", { role: "owner", type: "user", emailAddress: "bo@example.org" }],
      ],
    );
  });

  it("tells what Google refused", async (t) => {
    const error = { code: 403, message: "Only files with binary content can be downloaded." };
    const vendor = await startVendor(t, (_request, response) => sendJson(response, 403, { error }));
    const [tool] = await vendor.build("google-drive", { actions: ["downloadFile"] });
    assert.ok(tool);
    const { content, isError } = await callTool(tool, { fileId: "1" }, vendor.context());
    assert.equal(isError, true);
    assert.match(content, /Only files with binary content.*\nIf the credential lacks the permission/s);
  });

  it("makes the request of every action", async (t) => {
    const vendor = await startVendor(t);
    const values = { fileId: "1", folderId: "f", mimeType: "text/plain", fileContent: "Hi" };
    assert.deepEqual(await callEveryAction(vendor, "google-drive", values), [
      "GET /drive/v3/files",
      "GET /drive/v3/files/1",
      "POST /upload/drive/v3/files",
      "PATCH /drive/v3/files/1",
      "DELETE /drive/v3/files/1",
      "POST /drive/v3/files/1/copy",
      "GET /drive/v3/files/1/export",
      "POST /drive/v3/files",
      "GET /drive/v3/files",
      "DELETE /drive/v3/files/f",
      "GET /drive/v3/files",
      "POST /drive/v3/files/1/permissions",
      "GET /drive/v3/files/1/permissions",
      "DELETE /drive/v3/files/1/permissions/value",
    ]);
  });
});
