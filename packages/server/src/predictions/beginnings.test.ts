import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createBeginnings } from "./beginnings.ts";

describe("a repetition that waits for the beginning of its run", () => {
  it("goes on when the run is durable, before its answer is there", async () => {
    const beginnings = createBeginnings();
    const answer = Promise.withResolvers<string>();
    const first = beginnings.track("run", (accepted) => {
      accepted(Promise.resolve());
      return answer.promise;
    });
    await beginnings.wait("run");
    answer.resolve("Done.");
    assert.equal(await first, "Done.");
  });

  it("is not refused when another process was first to begin the run", async () => {
    const beginnings = createBeginnings();
    const first = beginnings.track("run", async (accepted) => {
      accepted(Promise.reject(new Error("The run exists.")));
      return "The answer of the other one.";
    });
    const [answer, waited] = await Promise.allSettled([first, beginnings.wait("run")]);
    assert.deepEqual(answer, { status: "fulfilled", value: "The answer of the other one." });
    assert.equal(waited.status, "fulfilled");
  });

  it("is refused as the request that it repeats", async () => {
    const beginnings = createBeginnings();
    const refusal = new Error("No such agent.");
    const first = beginnings.track("run", () => Promise.reject(refusal));
    const waited = beginnings.wait("run");
    await assert.rejects(first, refusal);
    await assert.rejects(waited, refusal);
  });
});
