import type { Json, JsonObject, Share } from "@weft/schema";
import type { HttpClient } from "./http-client.ts";

export type SandboxCall = {
  /** Body of an async function: may `await` and must `return` its result. */
  code: string;
  /** Global constants the code sees, by name (such as `$url`). Values are copied, never shared. */
  globals: JsonObject;
  /**
   * Gives the code a `fetch(url, { method, headers, body })` through this client, which it may also get by
   * `require("node-fetch")`. Absent: neither.
   */
  http?: HttpClient;
  /** Waits for `fetch` included, and those for a thread left out. Default 10,000. */
  timeoutMs?: number;
  /** In whose name. Absent: in that of the run, where a run calls. */
  share?: Share;
  signal: AbortSignal;
};

export type SandboxResult =
  | { ok: true; value: Json; logs: string[] }
  | { ok: false; error: { name: string; message: string }; logs: string[] };

/** Runs user code apart from the server: own heap, memory limit, deadline, nothing of the host reachable. */
export type Sandbox = { run(call: SandboxCall): Promise<SandboxResult> };

/** What code may `require`: its own `fetch`, under the name that existing code uses. */
const sandboxModules: readonly string[] = ["node-fetch"];

/** Modules that code asks for and a sandbox does not have, as far as its text shows; each once. */
function missingModules(code: string): string[] {
  const statements = code
    .split("\n")
    .filter((line) => !line.trimStart().startsWith("//"))
    .join("\n");
  const asked = Array.from(statements.matchAll(/\brequire\(\s*["'`]([^"'`]+)["'`]/g), ([, name]) => name ?? "");
  const missing = asked.filter((name) => !sandboxModules.includes(name));
  if (asked.length === 0 && /\baxios\s*[.(]/.test(statements)) missing.push("axios");
  return [...new Set(missing)];
}

/** The same as a sentence about `owner`, which begins it; undefined when nothing is missing. */
export function missingModulesSentence(code: string, owner: string): string | undefined {
  const missing = missingModules(code);
  if (missing.length === 0) return undefined;
  return `${owner} uses ${missing.join(", ")}, which the sandbox does not have. Rewrite it with fetch and plain JavaScript.`;
}
