/**
 * What makes two loaders of a store the same: the loader's name and where it reads, an address in its normal form and
 * any other source as it is, without white space at its ends. Source: design, "Document store status".
 */
export function loaderIdentity(loader: string, source: string): string {
  return `${loader}|${normaliseUrl(source) ?? source.normalize("NFC").trim()}`;
}

/**
 * One form for all spellings of an http(s) address: case of the host, default port, `.` and `..`, an empty path, no
 * fragment, no name and password. Undefined for anything else.
 */
export function normaliseUrl(text: string): string | undefined {
  const url = URL.parse(text.trim());
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  url.hash = "";
  url.username = "";
  url.password = "";
  return url.href;
}
