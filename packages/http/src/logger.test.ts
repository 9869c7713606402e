import assert from "node:assert/strict";
import { test } from "node:test";
import { createLogger, type LogFields, type LogLevel, toReadableLine } from "./logger.ts";

function capture(level: LogLevel) {
  const lines: string[] = [];
  return { lines, logger: createLogger({ level, now: () => 0, write: (line) => lines.push(line) }) };
}

test("a line is one JSON object", () => {
  const { lines, logger } = capture("info");
  logger.info("run-started", { runId: "r\n1", status: 200, code: undefined });
  assert.deepEqual(lines, [
    '{"time":"1970-01-01T00:00:00.000Z","level":"info","event":"run-started","status":200,"runId":"r\\n1"}\n',
  ]);
});

test("only the allowed fields are written, and only as text or number", () => {
  const { lines, logger } = capture("info");
  const fields = { authorization: "Bearer secret", body: { password: "secret" }, reason: { nested: "secret" } };
  logger.warn("refused", fields as unknown as LogFields);
  assert.deepEqual(JSON.parse(lines[0] ?? ""), { time: "1970-01-01T00:00:00.000Z", level: "warn", event: "refused" });
});

test("levels below the configured one are silent", () => {
  const { lines, logger } = capture("warn");
  logger.debug("a");
  logger.info("b");
  logger.warn("c");
  logger.error("d");
  assert.deepEqual(
    lines.map((line) => (JSON.parse(line) as { event: string }).event),
    ["c", "d"],
  );
  assert.deepEqual([logger.isEnabled("info"), logger.isEnabled("error")], [false, true]);
  const silent = capture("silent");
  silent.logger.error("e");
  assert.equal(silent.lines.length, 0);
});

test("an error is written with its causes, however they are linked", () => {
  const { lines, logger } = capture("info");
  const error = new Error("outer", { cause: new TypeError("inner") });
  (error.cause as Error).cause = error;
  logger.error("failed", { cause: error });
  logger.error("failed", { cause: "text" });
  const [first, second] = lines.map((line) => (JSON.parse(line) as { error: Record<string, unknown> }).error);
  assert.equal(first?.message, "outer");
  assert.match(String(first?.stack), /logger\.test/);
  assert.match(JSON.stringify(first?.cause), /^\{"name":"TypeError"/);
  assert.deepEqual(second, { message: "text" });
});

test("a line is readable at a terminal, with the stack of its error", () => {
  const lines: string[] = [];
  const logger = createLogger({ level: "info", now: () => 0, write: (line) => lines.push(toReadableLine(line)) });
  logger.info("server-started", { port: 3_000 });
  logger.warn("rehearsal-model-in-use", { reason: "No model is configured." });
  logger.error("request-answered", { cause: new Error("broken") });
  assert.deepEqual(lines.slice(0, 2), [
    "00:00:00 info  server-started port=3000\n",
    "00:00:00 warn  rehearsal-model-in-use No model is configured.\n",
  ]);
  assert.match(lines[2] ?? "", /^00:00:00 error request-answered\nError: broken\n\s+at /);
});
