import type { Json, JsonObject } from "@weft/schema";
import type { HttpClient } from "./http-client.ts";

export type SandboxCall = {
  /** Body of an async function: may `await` and must `return` its result. */
  code: string;
  /** Global constants the code sees, by name (such as `$url`). Values are copied, never shared. */
  globals: JsonObject;
  /** Gives the code a `fetch(url, { method, headers, body })` through this client. Absent: no `fetch`. */
  http?: HttpClient;
  /** Wall time including waits for `fetch`. Default 10,000. */
  timeoutMs?: number;
  signal: AbortSignal;
};

export type SandboxResult =
  | { ok: true; value: Json; logs: string[] }
  | { ok: false; error: { name: string; message: string }; logs: string[] };

/** Runs user code apart from the server: own heap, memory limit, deadline, nothing of the host reachable. */
export type Sandbox = { run(call: SandboxCall): Promise<SandboxResult> };
