import { type CustomTypesConfig, types } from "pg";
import { fromPostgresText } from "./nul-safe-text.ts";

const textTypes: readonly number[] = [types.builtins.TEXT, types.builtins.VARCHAR];

/** How values arrive: whole numbers as exact numbers, text as it was given (`nul-safe-text.ts`). */
export const resultTypes: CustomTypesConfig = {
  getTypeParser: (oid, format) => {
    if (format === "binary") return types.getTypeParser(oid, format);
    if (oid === types.builtins.INT8) return parseExactInteger;
    return textTypes.includes(oid) ? fromPostgresText : types.getTypeParser(oid, format);
  },
};

function parseExactInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`The database holds a number too large to be exact: ${text}.`);
  return value;
}
