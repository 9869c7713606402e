import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** The options of the chat as JSON: what a page cannot write so, it does by itself. */
export type EmbeddingPage = {
  script: string;
  body?: string;
  /** Content security policy. Default: what a strict site allows. */
  policy?: string;
};

/**
 * A website of another origin whose pages embed the chat. Unless a page says otherwise it allows scripts of its own and
 * of the server, requests to the server, and no style that is not a file.
 */
export async function startEmbeddingSite(serverUrl: string) {
  const pages: EmbeddingPage[] = [];
  const strict = `default-src 'none'; script-src 'self' ${serverUrl}; connect-src ${serverUrl}; style-src 'self'; img-src data:; frame-src ${serverUrl}`;
  const server = createServer((request, response) => {
    const [, kind, index = ""] = /^\/(page|script)\/(\d+)$/.exec(request.url ?? "") ?? [];
    const page = pages[Number(index)];
    if (kind === undefined || page === undefined) response.writeHead(404).end();
    else if (kind === "script") response.writeHead(200, { "content-type": "text/javascript" }).end(page.script);
    else {
      const headers = { "content-type": "text/html; charset=utf-8", "content-security-policy": page.policy ?? strict };
      response.writeHead(200, headers).end(toHtml(index, page.body));
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    /** Address of a page with this script. */
    add: (page: EmbeddingPage): string => `${origin}/page/${pages.push(page) - 1}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function toHtml(index: string, body = ""): string {
  return `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>A shop</title>
  <link rel="icon" href="data:,"></head>
  <body><main><h1>A shop</h1>${body}</main><script type="module" src="/script/${index}"></script></body>
</html>`;
}
