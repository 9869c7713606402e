import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { initialsOf, markOf } from "./vendor-marks.ts";

describe("marks of vendors", () => {
  it("finds the mark of a provider and of the types of its credentials, and none of others", () => {
    assert.equal(markOf("google"), "gemini");
    assert.equal(markOf("nvidiaNIMApi"), "nvidia");
    assert.equal(markOf("httpBearerToken"), undefined);
    assert.equal(markOf("constructor"), undefined);
  });

  it("has initials for what has no mark", () => {
    assert.equal(initialsOf("OpenAI-compatible server"), "OC");
    assert.equal(initialsOf("Serper API"), "S");
    assert.equal(initialsOf("Österreich 24"), "Ö2");
    assert.equal(initialsOf("API"), "A");
    assert.equal(initialsOf(""), "");
  });
});
