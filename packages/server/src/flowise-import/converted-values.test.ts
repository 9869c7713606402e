import assert from "node:assert/strict";
import { test } from "node:test";
import { chatMessageSchema } from "@weft/schema";
import { toPermissions } from "./import-material.ts";
import * as columns from "./message-columns.ts";
import { findPrivateHosts } from "./private-hosts.ts";

test("a key may do what it might, and goes on with every chat", () => {
  const reading = toPermissions('["chatflows:view","documentStores:upsert-config","workspace:view","toString:view"]');
  assert.ok(reading.includes("agents:read") && reading.includes("document-stores:write"));
  assert.ok(!reading.includes("agents:write") && !reading.includes("document-stores:read"));
  for (const permissions of [toPermissions(null), toPermissions("[]"), reading]) {
    assert.ok(permissions.includes("predictions:run") && permissions.includes("chats:all"));
  }
  assert.ok(toPermissions(null).includes("agents:write"), "a key from before permissions has all");
  assert.ok(!toPermissions("[]").includes("agents:read"));
});

const shapes = chatMessageSchema.shape;

test("columns of messages have the members that clients read, whatever they held", () => {
  const read = (text: string) => JSON.parse(text);
  for (const damaged of [null, "", "{", "{}", "7", "null"]) assert.equal(columns.usedTools(damaged), "[]");
  const tool = { tool: "t", toolInput: "x", toolOutput: { sent: true }, error: "", more: 1 };
  const tools = read(columns.usedTools(JSON.stringify([null, tool])));
  assert.deepEqual(tools, [{ tool: "t", toolInput: { arguments: "x" }, toolOutput: '{"sent":true}', more: 1 }]);
  const documents = read(columns.sourceDocuments('[{"pageContent":"p","metadata":null,"id":"d"}]'));
  assert.deepEqual(documents, [{ pageContent: "p", metadata: {}, id: "d" }]);
  const agents = read(columns.agentReasoning(JSON.stringify([{ agentName: "A", usedTools: [tool], state: null }])));
  shapes.agentReasoning.parse(agents);
  const uploads = read(columns.fileUploads('[{"type":"stored-file","name":"a.png","mime":"image/png","size":1.5}]'));
  shapes.fileUploads.parse(uploads);
  assert.equal(uploads[0].name, "a.png");
  shapes.fileAnnotations.parse(read(columns.fileAnnotations('[{"filePath":null}]')));
});

test("private hosts are told from public ones by their spelling", () => {
  const flow = JSON.stringify([
    ...[
      "http://localhost:11434/api",
      "https://10.0.0.7/x",
      "http://ollama:11434",
      "http://[::1]:8080/",
      "http://db.internal",
      "postgres://app:p%40ss@pg/shop",
      "mysql://root@192.168.1.9/shop",
    ],
    ...["https://api.example.org/v1", "http://8.8.8.8", "https://{{ $vars.host }}/a", "http://172.32.0.1"],
  ]);
  assert.deepEqual(findPrivateHosts(flow), [
    ...["localhost:11434", "10.0.0.7:443", "ollama:11434", "[::1]:8080", "db.internal:80"],
    ...["pg:5432", "192.168.1.9:3306"],
  ]);
});
