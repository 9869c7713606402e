import { isJsonObject, type Json, type JsonObject } from "@weft/schema";

/** A field by its name, or by the same name in another case; undefined where it is absent or null. */
export function fieldOf(object: JsonObject, name: string): Json | undefined {
  if (Object.hasOwn(object, name)) return object[name] ?? undefined;
  const word = name.toLowerCase();
  const key = Object.keys(object).find((candidate) => candidate.toLowerCase() === word);
  return key === undefined ? undefined : (object[key] ?? undefined);
}

/** The first field of several names that has a value. */
export function anyOf(object: JsonObject, ...names: readonly string[]): Json | undefined {
  for (const name of names) {
    const value = fieldOf(object, name);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** An object field; empty where it is none. */
export function objectIn(object: JsonObject, ...names: readonly string[]): JsonObject {
  const value = anyOf(object, ...names);
  return isJsonObject(value) ? value : {};
}

/** A text field, without blanks around it; empty where it is none. */
export function textIn(object: JsonObject, ...names: readonly string[]): string {
  const value = anyOf(object, ...names);
  return typeof value === "string" ? value.trim() : typeof value === "number" ? String(value) : "";
}

/** The objects of a list field. */
export function objectsIn(object: JsonObject, ...names: readonly string[]): JsonObject[] {
  const value = anyOf(object, ...names);
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** The texts of a list field. */
export function textsIn(object: JsonObject, ...names: readonly string[]): string[] {
  const value = anyOf(object, ...names);
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}

/** The kind of an action, entity or operation, or of what names one by its text. */
export function kindIn(value: Json | undefined): string {
  return typeof value === "string" ? value.trim() : isJsonObject(value) ? textIn(value, "kind") : "";
}

/** True or false where a field says so. */
export function booleanIn(object: JsonObject, ...names: readonly string[]): boolean | undefined {
  const value = anyOf(object, ...names);
  if (typeof value === "boolean") return value;
  const word = typeof value === "string" ? value.trim().replace(/^=/, "").toLowerCase() : "";
  return word === "true" ? true : word === "false" ? false : undefined;
}

/** A number where a field holds one, also as text. */
export function numberIn(object: JsonObject, ...names: readonly string[]): number | undefined {
  const value = anyOf(object, ...names);
  const number = typeof value === "string" && value.trim() !== "" ? Number(value.trim().replace(/^=/, "")) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}
