import { createEventApi } from "./event-api.ts";

/** The process of `./weft event-api`: listens on `HOST` (127.0.0.1) and `PORT` (5566; 0 picks a free one). */
const host = process.env.HOST || "127.0.0.1";
const portText = process.env.PORT || "5566";

const { server } = createEventApi();

server.on("error", (error: NodeJS.ErrnoException) => {
  console.error(startFailure(error));
  process.exitCode = 1;
});

function stop(): void {
  server.close();
  server.closeAllConnections();
}

process.once("SIGTERM", stop);
process.once("SIGINT", stop);
if (process.env.npm_lifecycle_event !== undefined) {
  // npm passes SIGTERM to the shell between it and this process; some shells (dash) die of it and pass nothing on.
  const shell = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid !== shell) stop();
  }, 250);
  watch.unref();
}

if (/^\d{1,5}$/.test(portText) && Number(portText) <= 65_535) {
  server.listen(Number(portText), host, () => {
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : portText;
    console.log(`Event API listening on http://${host.includes(":") ? `[${host}]` : host}:${port}`);
  });
} else {
  console.error(`PORT must be a number from 0 to 65535, not "${portText}".`);
  process.exitCode = 1;
}

function startFailure(error: NodeJS.ErrnoException): string {
  const place = `${host}:${portText}`;
  if (error.code === "EADDRINUSE") {
    return `Cannot listen on ${place}: another process uses this port. Stop it, or set PORT to another number.`;
  }
  if (error.code === "EACCES") return `Cannot listen on ${place}: this port needs more rights. Set PORT above 1023.`;
  return `Cannot listen on ${place}: ${error.message}.`;
}
