import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { effectOfName, readWritePolicy, stricterPolicy } from "./write-policy.ts";

describe("write policy", () => {
  it("allows of two agents what both allow", () => {
    const open = { write: "allow", destructive: "ask" } as const;
    const closed = { write: "refuse", destructive: "allow" } as const;
    const both = { write: "refuse", destructive: "ask" };
    assert.deepEqual(stricterPolicy(open, closed), both);
    assert.deepEqual(stricterPolicy(closed, open), both);
  });

  it("has a person asked before visitors destroy something, unless the agent says otherwise", () => {
    const byDefault = { write: "allow", destructive: "ask" };
    assert.deepEqual(readWritePolicy("{}"), byDefault);
    assert.deepEqual(readWritePolicy("no JSON"), byDefault);
    assert.deepEqual(readWritePolicy('{"visitorWrites":{"write":"sometimes"}}'), byDefault);
    assert.deepEqual(readWritePolicy('{"visitorWrites":{"destructive":"refuse"}}'), {
      write: "allow",
      destructive: "refuse",
    });
  });
});

it("a name that takes something away says so, in any way in which names are written", () => {
  for (const name of [
    "deleteUser",
    "orders_purge",
    "remove-all",
    "DropTable",
    "api.trash",
    "HTTPDelete",
    "rm",
    "wipe2",
  ]) {
    assert.equal(effectOfName(name), "destructive", name);
  }
  for (const name of ["createUser", "undeleted", "untrash_mail", "dropdown", "list_removals", "", "terms"]) {
    assert.equal(effectOfName(name), "write", name);
  }
});
