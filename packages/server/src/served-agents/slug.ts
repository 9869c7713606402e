/** Longest name of a tool that model vendors take. */
const maxLength = 64;

/** A name for programs, `[a-z0-9-]{1,64}`, as in `customer-support`; `agent` where nothing of the text is left. */
export function toSlug(text: string): string {
  const plain = text.normalize("NFKD").replaceAll(/\p{Mark}/gu, "");
  return shorten(plain.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-"), maxLength) || "agent";
}

/** The slug with the beginning of the id, for all but the first of those that would have the same. */
export function toOwnSlug(slug: string, id: string): string {
  const ending = `-${id.replaceAll("-", "").slice(-8)}`;
  return shorten(slug, maxLength - ending.length) + ending;
}

function shorten(text: string, length: number): string {
  return text.replace(/^-+/, "").slice(0, length).replace(/-+$/, "");
}
