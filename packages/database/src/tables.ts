/**
 * Rows as both databases store them. Column names are the API's field names, so nothing is mapped twice.
 * Dates are ISO 8601 UTC text with milliseconds (they sort as text); flags are 0 or 1; JSON is text, byte for byte.
 * Each package and feature adds its own tables, beside the statements that use them.
 */
export interface Tables {
  settings: SettingRow;
}

/** Facts about this installation, such as whether the demonstration agents were seeded. */
type SettingRow = { name: string; value: string };
