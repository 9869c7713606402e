import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ApiError } from "./agent-api.ts";
import { type Line, readRun } from "./read-run.ts";

const frame = (id: string, event: string, data: unknown = "") =>
  `id:${id}\ndata:${JSON.stringify({ event, data })}\n\n`;

/** Answers in this order: text is a stream that ends there, an error rejects. */
function setUp(answers: (string | Error)[], isOnline: () => boolean = () => true) {
  const asked: (string | undefined)[] = [];
  const lines: Line[] = [];
  const controller = new AbortController();
  const answer = async (lastId?: string) => {
    asked.push(lastId);
    const next = answers.shift() ?? new TypeError("nothing left");
    if (next instanceof Error) throw next;
    return new Response(next);
  };
  const read = () =>
    Array.fromAsync(
      readRun(
        {
          api: { events: answer },
          signal: controller.signal,
          isOnline,
          pause: async () => undefined,
          onLine: (line) => lines.push(line),
        },
        { open: () => answer() },
      ),
    );
  return { read, asked, lines, controller };
}

describe("reading a run over a line that breaks", () => {
  it("goes on after the last frame, with each frame once", async () => {
    const { read, asked, lines } = setUp([
      frame("r:1", "token", "Hel"),
      new TypeError("cut"),
      frame("r:2", "token", "lo") + frame("r:3", "end"),
    ]);
    assert.deepEqual(
      (await read()).map(({ id }) => id),
      ["r:1", "r:2", "r:3"],
    );
    assert.deepEqual(asked, [undefined, "r:1", "r:1"]);
    assert.deepEqual(lines, ["open", "reconnecting", "reconnecting", "open"]);
  });

  it("sends the message again where no frame came", async () => {
    const { read, asked } = setUp([new TypeError("refused"), frame("r:1", "end")]);
    assert.equal((await read()).length, 1);
    assert.deepEqual(asked, [undefined, undefined]);
  });

  it("waits as long as the browser is offline, and says so", async () => {
    let left = 40;
    const offline = Array.from({ length: 40 }, () => new TypeError("offline"));
    const { read, lines } = setUp([...offline, frame("r:1", "end")], () => left-- <= 0);
    await read();
    assert.equal(lines[0], "offline");
  });

  it("gives up on a line that stays broken, and at once on a refusal", async () => {
    const { read, asked } = setUp([]);
    await assert.rejects(read(), TypeError);
    assert.equal(asked.length, 10);
    const refused = setUp([new ApiError("Too many messages.", { status: 429, isRetryable: false })]);
    await assert.rejects(refused.read(), /Too many messages/);
    assert.equal(refused.asked.length, 1);
    const away = setUp([new ApiError("", { status: 503, isRetryable: false }), frame("r:1", "end")]);
    assert.equal((await away.read()).length, 1);
  });

  it("stops when nobody reads any more", async () => {
    const { read, controller, asked } = setUp([new TypeError("cut")]);
    controller.abort();
    await assert.rejects(read());
    assert.equal(asked.length, 1);
  });
});
