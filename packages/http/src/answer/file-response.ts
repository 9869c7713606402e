/** An untrusted file. `mime`: as the uploader sent it; never relied upon. */
type ServedFile = { name: string; mime: string; bytes: Uint8Array };

/**
 * Serves a stored file. Only types that a browser cannot run are shown inline; everything else, whatever it turns out
 * to be, is downloaded or shown in a sandbox without scripts.
 */
export function toFileResponse({ name, mime, bytes }: ServedFile, { isDownload }: { isDownload: boolean }): Response {
  const disposition = !isDownload && shown.has(mime) ? "inline" : "attachment";
  return new Response(bytes as Uint8Array<ArrayBuffer>, {
    headers: {
      "Content-Type": mediaType.test(mime) ? mime : "application/octet-stream",
      "Content-Length": String(bytes.length),
      "Content-Disposition": `${disposition}; ${toFileNameParameters(name)}`,
      "X-Content-Type-Options": "nosniff",
      "Content-Security-Policy": "default-src 'none'; sandbox",
    },
  });
}

/** Without parameters. Source: RFC 6838, section 4.2. */
const mediaType = /^[\w.+-]{1,127}\/[\w.+-]{1,127}$/;

/** Types that a browser shows without running anything in them. */
const shown = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "audio/mpeg",
  "audio/mp4",
  "audio/ogg",
  "audio/wav",
  "audio/webm",
  "video/mp4",
  "video/ogg",
  "video/webm",
]);

/** The name for old clients and for new ones. Source: RFC 6266, section 4.3, RFC 8187. */
function toFileNameParameters(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const extended = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `filename="${ascii}"; filename*=UTF-8''${extended}`;
}
