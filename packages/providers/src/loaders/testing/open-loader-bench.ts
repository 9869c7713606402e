import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after } from "node:test";
import { createDocumentReader, type DocumentLimits } from "@weft/documents";
import { createEgressClient } from "@weft/egress";
import type { LoadedPart, LoaderServices } from "@weft/engine/ports/document-loader";
import { findLoader } from "../registry.ts";

export type TestFile = { name: string; mediaType?: string; bytes: Uint8Array | string };
type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Loaders with real parts: the egress client, which may call the bench's own site alone, and the document reader. */
export type LoaderBench = {
  /** Address of the site, without a slash at its end. */
  site: string;
  /** What the site was asked for, in order. */
  requests: IncomingMessage[];
  /** Replaces what the site answers. */
  serve(handler: Handler): void;
  /** Keeps files under the ids `0`, `1`, …, and gives these. */
  store(...files: TestFile[]): string[];
  load(name: string, config: object, signal?: AbortSignal): Promise<LoadedPart[]>;
  sourceOf(name: string, config: object): Promise<string>;
};

/** A bench of the running test file, closed at its end. */
export async function openLoaderBench(limits: Partial<DocumentLimits> = {}): Promise<LoaderBench> {
  let handle: Handler = (_request, response) => response.writeHead(404).end();
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const http = createEgressClient({ allow: [host] });
  const documents = createDocumentReader(limits);
  after(async () => {
    await Promise.all([http.close(), documents.close()]);
    server.closeAllConnections();
    server.close();
  });
  const files: TestFile[] = [];
  const services: LoaderServices = {
    http,
    documents,
    readFile: async (id) => toStored(files[Number(id)]),
    readCredential: async (id) => ({ token: `secret of ${id}` }),
  };
  return {
    site: `http://${host}`,
    requests,
    serve(handler) {
      requests.length = 0;
      handle = handler;
    },
    store: (...added) => added.map((file) => String(files.push(file) - 1)),
    async load(name, config, signal = new AbortController().signal) {
      const loader = findLoader(name);
      const parts: LoadedPart[] = [];
      for await (const part of loader.load(loader.parseConfig(config, name), services, { signal })) parts.push(part);
      return parts;
    },
    sourceOf(name, config) {
      const loader = findLoader(name);
      return loader.sourceOf(loader.parseConfig(config, name), {
        hash: (text) => createHash("sha256").update(text).digest("hex"),
        nameOfFile: async (id) => files[Number(id)]?.name,
      });
    },
  };
}

function toStored(file: TestFile | undefined) {
  if (file === undefined) return undefined;
  const { name, mediaType = "application/octet-stream", bytes: given } = file;
  const bytes = typeof given === "string" ? new TextEncoder().encode(given) : given;
  return {
    name,
    mediaType,
    sizeBytes: bytes.length,
    async *parts() {
      if (bytes.length > 0) yield Uint8Array.from(bytes);
    },
  };
}
