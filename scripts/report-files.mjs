// A reporter for `scripts/test.mjs`: a line of JSON per test, with its file, duration and outcome. A suite is its tests: what
// calls `describe` may be a helper.
export default async function* reportFiles(source) {
  for await (const { type, data } of source) {
    if (data.file === undefined || data.details?.type === "suite") continue;
    if (type !== "test:pass" && type !== "test:fail") continue;
    yield `${JSON.stringify({ file: data.file, ms: data.details.duration_ms, isFailed: type === "test:fail" })}\n`;
  }
}
