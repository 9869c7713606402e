/** The name of a file as it is stored and shown: without folders and control characters, at most 200 characters. */
export function toFileName(given: string): string {
  const base = given.split(/[\\/]/).at(-1) ?? "";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  const printable = base.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, "").trim();
  return shorten(printable) || "file";
}

/** A media type without its parameters, or that of bytes nobody knows anything of. */
export function toMediaType(given: string): string {
  const essence = given.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return /^[\w.+-]{1,60}\/[\w.+-]{1,100}$/.test(essence) ? essence : "application/octet-stream";
}

/** Keeps the ending. */
function shorten(name: string): string {
  if (name.length <= maxLength) return name;
  const ending = /\.\w{1,10}$/.exec(name)?.[0] ?? "";
  return name.slice(0, maxLength - ending.length).toWellFormed() + ending;
}

const maxLength = 200;
