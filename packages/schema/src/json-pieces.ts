/** Approximate length of a piece, and the amount written or hashed at once. */
const pieceCharacters = 131_072;

/** Whether the JSON text of a value is longer than one piece. */
export function isLargeJson(value: unknown): boolean {
  return budgetAfter(value, pieceCharacters) < 0;
}

/**
 * Yields the JSON text of a value in pieces that together equal `JSON.stringify`: the caller can do other work in
 * between, and the whole text never exists at once.
 */
export function* jsonPieces(value: unknown): Generator<string> {
  let piece = "";
  for (const part of partsOf(value)) {
    piece += part;
    if (piece.length < pieceCharacters) continue;
    yield piece;
    piece = "";
  }
  if (piece !== "") yield piece;
}

/** The approximate rest of a character budget after a value; negative as soon as it is used up. */
function budgetAfter(value: unknown, budget: number): number {
  let left = budget;
  const open: unknown[] = [value];
  while (open.length > 0 && left >= 0) {
    const next = open.pop();
    if (typeof next === "string") left -= next.length;
    else if (typeof next !== "object" || next === null) left -= 5;
    else left -= charactersOf(next, open);
  }
  return left;
}

/** Of an object or a list without its values, which are added to `open`. */
function charactersOf(value: object, open: unknown[]): number {
  if (ArrayBuffer.isView(value)) return value.byteLength;
  if (Array.isArray(value)) {
    // A longer list is too long whatever it holds.
    if (value.length <= pieceCharacters) for (const item of value) open.push(item);
    return value.length + 2;
  }
  let characters = 2;
  for (const [name, inner] of Object.entries(value)) {
    characters += name.length;
    open.push(inner);
  }
  return characters;
}

function* partsOf(value: unknown): Generator<string> {
  if (!isLargeJson(value) || hasOwnJson(value)) yield JSON.stringify(value) ?? "null";
  else if (typeof value === "string") yield* partsOfText(value);
  else if (Array.isArray(value)) yield* partsOfArray(value);
  else yield* partsOfObject(value as object);
}

function* partsOfText(text: string): Generator<string> {
  yield '"';
  for (let start = 0; start < text.length; ) {
    const end = endOfPiece(text, start + pieceCharacters);
    yield JSON.stringify(text.slice(start, end)).slice(1, -1);
    start = end;
  }
  yield '"';
}

/** As many values at once as make a piece: one by one takes several times as long. */
function* partsOfArray(values: readonly unknown[]): Generator<string> {
  yield "[";
  for (let start = 0; start < values.length; ) {
    const end = endOfSlice(values, start);
    if (start > 0) yield ",";
    if (end > start) yield JSON.stringify(values.slice(start, end)).slice(1, -1);
    else yield* partsOf(values[start]);
    start = Math.max(end, start + 1);
  }
  yield "]";
}

/** Where values from `start` on no longer fit into a piece. */
function endOfSlice(values: readonly unknown[], start: number): number {
  let left = pieceCharacters;
  let end = start;
  for (; end < values.length; end += 1) {
    left = budgetAfter(values[end], left - 1);
    if (left < 0) break;
  }
  return end;
}

function* partsOfObject(object: object): Generator<string> {
  let before = "{";
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined || typeof value === "function" || typeof value === "symbol") continue;
    yield `${before}${JSON.stringify(name)}:`;
    yield* partsOf(value);
    before = ",";
  }
  yield before === "{" ? "{}" : "}";
}

function hasOwnJson(value: unknown): boolean {
  return typeof value === "object" && value !== null && "toJSON" in value && typeof value.toJSON === "function";
}

/** Keeps surrogate pairs together. */
export function endOfPiece(text: string, end: number): number {
  return /[\uD800-\uDBFF]/.test(text[end - 1] ?? "") ? end + 1 : end;
}
