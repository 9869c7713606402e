import type { Report } from "./node-converter.ts";

/**
 * JavaScript for the sandbox, which has `fetch` without asking for it. Code that asks for other modules is refused:
 * it would fail when it runs. `owner` begins the sentence that says so.
 */
export function toNativeCode(code: string, owner: string, report: Report): string {
  const native = code.replaceAll(
    /^[ \t]*(?:const|let|var)[ \t]+fetch[ \t]*=[ \t]*require\([ \t]*["']node-fetch["'][ \t]*\)[ \t]*;?[ \t]*$/gm,
    "",
  );
  const statements = native
    .split("\n")
    .filter((line) => !line.trimStart().startsWith("//"))
    .join("\n");
  const modules = Array.from(statements.matchAll(/\brequire\(\s*["'`]([^"'`]+)["'`]/g), ([, name]) => name ?? "");
  if (modules.length === 0 && /\baxios\s*[.(]/.test(statements)) modules.push("axios");
  if (modules.length > 0) {
    report.refuse(
      "code-module-unavailable",
      `${owner} uses ${[...new Set(modules)].join(", ")}, which the sandbox does not have. Rewrite it with fetch and plain JavaScript.`,
    );
  }
  return native;
}
