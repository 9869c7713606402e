import type { Fetch } from "./fetcher.ts";
import type { Require } from "./requirer.ts";

type Values = Record<string, unknown>;
type Transform = (data: unknown, headers: Values) => unknown;
type Config = {
  headers?: { common?: Values; [name: string]: unknown };
  auth?: Values | null;
  params?: object | null;
  paramsSerializer?: { serialize?: unknown };
  transformResponse?: Transform | Transform[] | null;
  [name: string]: unknown;
};
type Response = Values & { status: number; config: Config; data: unknown };
type Interceptor = {
  done?: ((value: unknown) => unknown) | null | undefined;
  failed?: ((error: unknown) => unknown) | null | undefined;
};

/**
 * Runs inside QuickJS, from its source text, beside the other functions of this file: the text-only subset of axios
 * over `fetch`. Source: axios-http.com/docs, 1.x.
 */
export function createAxiosModule(fetch: Fetch | undefined, require: Require) {
  const AxiosError = createAxiosError();
  const send = async (config: Config): Promise<Response> => {
    if (fetch === undefined) throw new AxiosError("This code may not call other hosts.", "ERR_NETWORK", config);
    const { init, url } = toAxiosRequest(config, require);
    const failed = (error: Error): never => {
      throw Object.assign(new AxiosError(error.message, "ERR_NETWORK", config, {}), { cause: error });
    };
    const answer = await fetch(url, init).catch(failed);
    const { status, statusText } = answer;
    const headers = Object.fromEntries(answer.headers.entries());
    const get = (name: string) => headers[name.toLowerCase()];
    Object.defineProperty(headers, "get", { value: get });
    const response: Response = { data: undefined, status, statusText, headers, config, request: {} };
    response.data = readAxiosBody(await answer.text(), headers, config);
    const validate = config.validateStatus === undefined ? isSuccess : config.validateStatus;
    if (typeof validate !== "function" || validate(status)) return response;
    const code = status < 500 ? "ERR_BAD_REQUEST" : "ERR_BAD_RESPONSE";
    throw new AxiosError(`Request failed with status code ${status}`, code, config, {}, response);
  };

  const isSuccess = (status: number) => status >= 200 && status < 300;

  const create = (given: Config = {}) => {
    const defaults: Config = { ...given, headers: { common: {}, ...given.headers } };
    const interceptors = { request: createInterceptors(), response: createInterceptors() };
    const request = async (first?: string | Config, second?: Config) => {
      const own = typeof first === "string" || second !== undefined ? { ...second, url: first } : first;
      let chain: Promise<unknown> = Promise.resolve(mergeAxiosConfig(defaults, own ?? {}));
      for (const { done, failed } of [...interceptors.request.list].reverse()) chain = chain.then(done, failed);
      chain = chain.then((config) => send(config as Config));
      for (const { done, failed } of interceptors.response.list) chain = chain.then(done, failed);
      return chain;
    };
    const instance = Object.assign((first?: string | Config, second?: Config) => request(first, second), {
      request,
      defaults,
      interceptors,
      create: (own: Config = {}) => {
        const common = { ...defaults.headers?.common, ...own.headers?.common };
        return create({ ...defaults, ...own, headers: { ...defaults.headers, ...own.headers, common } });
      },
      getUri: (config: Config) => toAxiosRequest(mergeAxiosConfig(defaults, config), require).url,
    });
    for (const method of ["get", "delete", "head", "options"]) {
      Object.assign(instance, { [method]: (url: unknown, own?: Config) => request({ ...own, method, url }) });
    }
    for (const method of ["post", "put", "patch"]) {
      const call = (url: unknown, data?: unknown, own?: Config) => request({ ...own, method, url, data });
      const callForm = (url: unknown, data?: unknown, own?: Config) => {
        const headers = { ...own?.headers, "content-type": "application/x-www-form-urlencoded" };
        return request({ ...own, headers, method, url, data });
      };
      Object.assign(instance, { [method]: call, [`${method}Form`]: callForm });
    }
    return instance;
  };

  const isAxiosError = (error: unknown) =>
    typeof error === "object" && error !== null && "isAxiosError" in error && error.isAxiosError === true;
  const axios = Object.assign(create(), {
    AxiosError,
    isAxiosError,
    isCancel: () => false,
    all: (calls: Iterable<unknown>) => Promise.all(calls),
    spread: (callback: (...values: unknown[]) => unknown) => (values: unknown[]) => callback(...values),
  });
  return Object.assign(axios, { axios, default: axios });
}

/** Runs inside QuickJS. */
export function createAxiosError() {
  return class AxiosError extends Error {
    override name = "AxiosError";
    isAxiosError = true;
    code: string | undefined;
    config: Config | undefined;
    request: unknown;
    response: Response | undefined;
    status: number | undefined;
    constructor(message?: string, code?: string, config?: Config, ...[request, response]: [unknown?, Response?]) {
      super(message);
      Object.assign(this, { code, config, request, response, status: response?.status });
    }
    toJSON() {
      const { message, name, code, status } = this;
      return { message, name, code, status };
    }
  };
}

/** Runs inside QuickJS. */
export function createInterceptors() {
  const list: Interceptor[] = [];
  return {
    list,
    use: (done?: Interceptor["done"], failed?: Interceptor["failed"]) => list.push({ done, failed }) - 1,
    eject(id: number) {
      if (list[id] !== undefined) list[id] = {};
    },
    clear: () => list.splice(0),
  };
}

/** Runs inside QuickJS. Merges headers, those of the call taking precedence, and those under the method's name. */
export function mergeAxiosConfig(defaults: Config, own: Config): Config {
  const method = String(own.method ?? defaults.method ?? "get").toLowerCase();
  const groups = ["common", "get", "delete", "head", "options", "post", "put", "patch"];
  const plain = (headers: Values) => Object.entries(headers).filter(([name]) => !groups.includes(name));
  const grouped = (name: string) => Object.entries(defaults.headers?.[name] ?? {});
  const headers: Values = {};
  const all = [...grouped("common"), ...grouped(method), ...plain(defaults.headers ?? {}), ...plain(own.headers ?? {})];
  for (const [name, value] of all) {
    const same = Object.keys(headers).find((other) => other.toLowerCase() === name.toLowerCase());
    if (same !== undefined) delete headers[same];
    if (value !== undefined && value !== null && value !== false) headers[name] = value;
  }
  const given = Object.entries(own).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(given), method, headers };
}

/** Runs inside QuickJS. */
export function toAxiosRequest(config: Config, require: Require) {
  const headers: Values = { ...config.headers };
  const nameOf = (name: string) => Object.keys(headers).find((own) => own.toLowerCase() === name);
  if (nameOf("accept") === undefined) headers.Accept = "application/json, text/plain, */*";
  const contentType = nameOf("content-type");
  const body = toAxiosBody(config.data, String(headers[contentType ?? ""] ?? ""));
  if (body === undefined && contentType !== undefined) delete headers[contentType];
  if (body !== undefined && contentType === undefined) headers["Content-Type"] = body.type;
  if (typeof config.auth === "object" && config.auth !== null) {
    const { username = "", password = "" } = config.auth;
    const { Buffer } = require("buffer");
    const authorization = nameOf("authorization");
    if (authorization !== undefined) delete headers[authorization];
    headers.Authorization = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
  }
  const isBinary = ["arraybuffer", "blob", "stream"].includes(String(config.responseType));
  if (isBinary) {
    throw new TypeError(`The sandbox reads answers as text, so responseType ${config.responseType} cannot be used.`);
  }
  return { url: toAxiosUrl(config), init: { method: String(config.method).toUpperCase(), headers, body: body?.text } };
}

/** Runs inside QuickJS. */
export function toAxiosBody(data: unknown, contentType: string): { text: string; type: string } | undefined {
  const form = "application/x-www-form-urlencoded";
  if (data === undefined || data === null) return undefined;
  if (Object.prototype.toString.call(data) === "[object URLSearchParams]") {
    return { text: String(data), type: `${form};charset=utf-8` };
  }
  const isJson = contentType.includes("application/json");
  if (typeof data !== "object" && !isJson) return { text: String(data), type: form };
  if (typeof data === "string") {
    try {
      JSON.parse(data);
      return { text: data, type: contentType };
    } catch {
      return { text: JSON.stringify(data), type: contentType };
    }
  }
  if (contentType.includes(form)) return { text: toAxiosQuery(data), type: form };
  if (contentType.includes("multipart/form-data")) {
    throw new TypeError("The sandbox sends text, so multipart/form-data cannot be sent.");
  }
  return { text: JSON.stringify(data), type: "application/json" };
}

/** Runs inside QuickJS. */
export function toAxiosUrl({ url, baseURL, params, paramsSerializer }: Config): string {
  const path = String(url ?? "");
  const isWhole = /^([a-z][a-z\d+\-.]*:)?\/\//i.test(path);
  const base = String(baseURL ?? "").replace(/(?<!\/)\/+$/, "");
  const joined = isWhole || base === "" ? path : path === "" ? base : `${base}/${path.replace(/^\/+/, "")}`;
  if (params === undefined || params === null) return joined;
  const own = paramsSerializer?.serialize ?? paramsSerializer;
  const isText = Object.prototype.toString.call(params) === "[object URLSearchParams]";
  const query = isText ? String(params) : typeof own === "function" ? String(own(params)) : toAxiosQuery(params);
  const bare = joined.replace(/#.*/s, "");
  return query === "" ? bare : `${bare}${bare.includes("?") ? "&" : "?"}${query}`;
}

/** Runs inside QuickJS: `a[]=1&a[]=2` for lists, `a[b]=1` for objects. */
export function toAxiosQuery(values: object): string {
  const encode = (text: string) =>
    encodeURIComponent(text).replace(/%3A/gi, ":").replace(/%24/g, "$").replace(/%2C/gi, ",").replace(/%20/g, "+");
  const pairs: string[] = [];
  const partsOf = (name: string, value: object): [string, unknown][] =>
    Array.isArray(value)
      ? value.map((each, index) => [`${name}[${typeof each === "object" ? index : ""}]`, each])
      : Object.entries(value).map(([key, each]) => [`${name}[${key}]`, each]);
  const add = (name: string, given: unknown) => {
    const value = given instanceof Date ? given.toISOString() : (given ?? undefined);
    if (typeof value !== "object") {
      if (value !== undefined) pairs.push(`${encode(name)}=${encode(String(value))}`);
    } else for (const [part, each] of partsOf(name, value)) add(part, each);
  };
  for (const [name, value] of Object.entries(values)) add(name, value);
  return pairs.join("&");
}

/** Runs inside QuickJS: parses JSON if it is JSON, as axios does. */
export function readAxiosBody(text: string, headers: Values, config: Config): unknown {
  const own = config.transformResponse;
  if (own !== undefined && own !== null) {
    const steps = Array.isArray(own) ? own : [own];
    return steps.reduce((data: unknown, step) => step(data, headers), text);
  }
  if (config.responseType === "text" || text === "") return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
