// A reporter for `scripts/test.mjs`: a line of JSON per outermost test or suite, with its file, duration and outcome.
export default async function* reportFiles(source) {
  for await (const { type, data } of source) {
    if (data.nesting !== 0 || data.file === undefined) continue;
    if (type !== "test:pass" && type !== "test:fail") continue;
    yield `${JSON.stringify({ file: data.file, ms: data.details.duration_ms, isFailed: type === "test:fail" })}\n`;
  }
}
