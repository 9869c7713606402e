import { isJsonObject, type Json, type JsonObject } from "@weft/schema";

/**
 * The value at a path of keys with dots between them; `*` stands for every item of a list, an empty path for the value
 * itself. Undefined if the answer has another form.
 */
export function valueAt(value: Json | undefined, path: string): Json | undefined {
  if (path === "") return value;
  const [key = "", ...rest] = path.split(".");
  const follow = (found: Json | undefined) => valueAt(found, rest.join("."));
  if (key === "*")
    return Array.isArray(value) ? value.slice(0, maxItems).flatMap((item) => follow(item) ?? []) : undefined;
  return isJsonObject(value) && Object.hasOwn(value, key) ? follow(value[key]) : undefined;
}

/** A text or number as text, of at most `maximum` characters; undefined for anything else, and for empty text. */
export function textAt(value: Json | undefined, path: string, maximum = 500): string | undefined {
  const found = valueAt(value, path);
  if (typeof found === "number") return String(found);
  return typeof found === "string" && found !== "" ? shorten(found, maximum) : undefined;
}

/** Maximum items that are read of a list. */
const maxItems = 500;

/** The objects of a list, at most 500; undefined if the value is not a list. */
export function itemsAt(value: Json | undefined, path: string): JsonObject[] | undefined {
  const found = valueAt(value, path);
  return Array.isArray(found) ? found.slice(0, maxItems).filter(isJsonObject) : undefined;
}

/** What is shown of an object: paths by the names that the model reads. A pair has the most characters, default 500. */
export type Shape = Readonly<Record<string, string | readonly [path: string, maximum: number]>>;

/** Leaves out what is absent, empty or an object. */
export function pick(value: Json | undefined, shape: Shape): JsonObject {
  const entries = Object.entries(shape).map(([name, source]): [string, Json | undefined] => {
    const [path, maximum] = typeof source === "string" ? [source, 500] : source;
    const found = valueAt(value, path);
    const plain = Array.isArray(found) ? found.map((item) => toPlain(item, maximum)).filter(isShown) : found;
    return [name, Array.isArray(plain) ? plain.slice(0, 20) : toPlain(plain, maximum)];
  });
  return Object.fromEntries(entries.filter((entry): entry is [string, Json] => isShown(entry[1])));
}

function toPlain(value: Json | undefined, maximum: number): Json | undefined {
  if (typeof value === "string") return shorten(value, maximum);
  return typeof value === "number" || typeof value === "boolean" ? value : undefined;
}

function isShown(value: Json | undefined): value is Json {
  return value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0);
}

function shorten(text: string, maximum: number): string {
  return text.length <= maximum ? text : `${text.slice(0, maximum).toWellFormed()}…`;
}

/** The text of an object for the model; undefined if the answer has none of its values. */
export function showItem(value: Json | undefined, shape: Shape): string | undefined {
  const item = pick(value, shape);
  return Object.keys(item).length === 0 ? undefined : JSON.stringify(item);
}

type Listing = {
  /** Path of the list. */
  items: string;
  shape: Shape;
  /** Other values of the answer, such as where its next part starts. */
  beside?: Shape;
};

/** The text of a list for the model, with the number of items left out; undefined if the answer has no such list. */
export function showList(answer: Json, { items: path, shape, beside = {} }: Listing): string | undefined {
  const items = itemsAt(answer, path)?.map((item) => pick(item, shape));
  const found = valueAt(answer, path);
  const omitted = Array.isArray(found) && found.length > maxItems ? { omitted: found.length - maxItems } : {};
  return items && JSON.stringify({ items, ...pick(answer, beside), ...omitted });
}
