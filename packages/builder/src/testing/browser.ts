import { Window } from "happy-dom";

/** Exists in Node as well, where it knows nothing of the document. */
const replaced = new Set([
  "Blob",
  "CustomEvent",
  "Event",
  "EventTarget",
  "File",
  "FileList",
  "FormData",
  "navigator",
  "localStorage",
  "sessionStorage",
]);

const window = new Window({ url: "http://localhost/", width: 1_280, height: 800 });

/** A document for components. Network, timers and streams stay those of Node. */
for (const name of Object.getOwnPropertyNames(window)) {
  if (name in globalThis && !replaced.has(name)) continue;
  const value: unknown = Reflect.get(window, name);
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}
// Nothing is laid out: every element is as large as the window, as the canvas is at least.
for (const [name, value] of Object.entries({ offsetWidth: 1_280, offsetHeight: 800 }))
  Object.defineProperty(window.HTMLElement.prototype, name, { value, configurable: true });
// A text area that grows asks when the fonts are there; a document without layout has none.
Object.defineProperty(window.document, "fonts", { value: new EventTarget() });
Object.assign(globalThis, { window, document: window.document });

const nodeFetch = globalThis.fetch;

/** Where addresses without a host lead. `token`: of the session, whose cookie is sent there. */
export function visit(origin: string, token?: string): void {
  const cookie = `weft_session_${new URL(origin).port}=${token}`;
  globalThis.fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    if (token !== undefined) headers.set("cookie", cookie);
    return nodeFetch(typeof input === "string" ? new URL(input, origin) : input, { ...init, headers });
  };
}
