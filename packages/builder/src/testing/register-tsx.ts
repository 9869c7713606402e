import { readFileSync } from "node:fs";
import { createRequire, registerHooks } from "node:module";
import { fileURLToPath } from "node:url";

// For `node --import`: lets Node's test runner load components. JSX is compiled by the compiler of Vite, which is loaded
// with the first component; a style sheet is an object whose properties are their own names.

const require = createRequire(import.meta.url);

const styles = "export default new Proxy({}, { get: (_, name) => (typeof name === 'string' ? name : undefined) });";

registerHooks({
  load(url, context, nextLoad) {
    if (url.endsWith(".css")) return { format: "module", source: styles, shortCircuit: true };
    if (!url.endsWith(".tsx")) return nextLoad(url, context);
    return { format: "module", source: compile(fileURLToPath(url)), shortCircuit: true };
  },
});

function compile(path: string): string {
  const { transformSync } = require("rolldown/utils") as typeof import("rolldown/utils");
  const { code, errors } = transformSync(path, readFileSync(path, "utf8"), {
    sourcemap: false,
    jsx: { runtime: "automatic" },
  });
  if (errors.length > 0) throw new Error(`${path}: ${errors.map(({ message }) => message).join("\n")}`);
  return code;
}
