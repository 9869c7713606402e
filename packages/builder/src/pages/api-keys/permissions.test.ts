import assert from "node:assert/strict";
import { test } from "node:test";
import { chatPermissions, permissionTable, presetOf, toPermissions } from "./permissions.ts";

test("presets stand for permissions and are found again", () => {
  assert.equal(presetOf(["*"]), "everything");
  assert.equal(presetOf([...chatPermissions].reverse()), "chat");
  assert.equal(presetOf(["predictions:run"]), "chosen");
  assert.equal(presetOf([...chatPermissions, "agents:read"]), "chosen");
  assert.deepEqual(toPermissions("everything", ["agents:read"]), ["*"]);
  assert.deepEqual(toPermissions("everything", ["agents:read", "chats:all"]), ["*", "chats:all"]);
  assert.deepEqual(presetOf(toPermissions("chat", [])), "chat");
  assert.deepEqual(toPermissions("chosen", ["agents:read"]), ["agents:read"]);
});

test("the chat preset is made of permissions that exist", () => {
  for (const permission of chatPermissions) {
    const [resource = "", action = ""] = permission.split(":");
    assert.ok(permissionTable[resource]?.includes(action), permission);
  }
});
