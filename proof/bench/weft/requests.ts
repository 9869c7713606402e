import type { LoadRequest } from "../load/load.ts";

/** Where an API like Flowise's answers, and as whom it is asked. `basePath`: before `/api/v1`; default none. */
export type Target = { host?: string; port: number; secure?: boolean; basePath?: string; key?: string };

/** The text before the first token in an event stream of Flowise's API. */
export const tokenMarker = '"event":"token"';

/** A request of the API. */
export function requestOf(target: Target, method: string, path: string, body?: object): LoadRequest {
  const { basePath = "", key, ...address } = target;
  const headers = { "content-type": "application/json", ...(key && { authorization: `Bearer ${key}` }) };
  const request = { ...address, method, path: `${basePath}/api/v1${path}`, headers };
  return body === undefined ? request : { ...request, body: JSON.stringify(body) };
}

/** A question to an agent, each time in a new chat. */
export function predictionOf(target: Target, agentId: string, { streaming = false } = {}): LoadRequest {
  return requestOf(target, "POST", `/prediction/${agentId}`, {
    question: "Say hello.",
    ...(streaming ? { streaming } : {}),
  });
}

/** What Weft asks of a model, asked without Weft. */
export function modelCallOf(modelUrl: string, { streaming = false } = {}): LoadRequest {
  const { hostname, port, pathname } = new URL(modelUrl);
  const body = { model: "scripted", messages: [{ role: "user", content: "Say hello." }], stream: streaming };
  return {
    host: hostname,
    port: Number(port),
    method: "POST",
    path: `${pathname}/chat/completions`,
    headers: { authorization: "Bearer bench", "content-type": "application/json" },
    body: JSON.stringify(body),
  };
}
