/**
 * The query of a URL: a parameter that is given once is a string, one that is repeated an array of strings.
 * The object has no prototype, so that no name can reach one.
 */
export function readQuery(url: string): Record<string, string | string[]> {
  const query = Object.create(null) as Record<string, string | string[]>;
  const start = url.indexOf("?");
  if (start === -1) return query;
  for (const [name, value] of new URLSearchParams(url.slice(start + 1))) {
    const earlier = query[name];
    if (earlier === undefined) query[name] = value;
    else if (Array.isArray(earlier)) earlier.push(value);
    else query[name] = [earlier, value];
  }
  return query;
}
