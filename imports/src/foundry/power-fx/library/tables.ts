/** Helpers for tables, which are lists of records or of single values, and for texts. See `values.ts`. */
export const tableHelpers = String.raw`
function fx_rows(table) {
  if (table === null || table === undefined) return [];
  return Array.isArray(table) ? table : [table];
}
function fx_first(table) {
  return fx_rows(table)[0] ?? null;
}
function fx_last(table) {
  return fx_rows(table).at(-1) ?? null;
}
function fx_firstN(table, count) {
  return fx_rows(table).slice(0, Math.max(0, fx_int(count ?? 1)));
}
function fx_lastN(table, count) {
  const number = Math.max(0, fx_int(count ?? 1));
  return number === 0 ? [] : fx_rows(table).slice(-number);
}
function fx_index(table, position) {
  const rows = fx_rows(table);
  const place = fx_int(position);
  if (place < 1 || place > rows.length) throw new Error("The table has no row " + place + ".");
  return rows[place - 1];
}
function fx_countRows(table) {
  return fx_rows(table).length;
}
function fx_count(table) {
  return fx_rows(table).filter((row) => typeof fx_single(row) === "number").length;
}
function fx_countA(table) {
  return fx_rows(table).filter((row) => !fx_isBlank(row)).length;
}
function fx_isEmpty(table) {
  return fx_rows(table).length === 0;
}
function fx_forAll(table, map) {
  return fx_rows(table).map((row) => map(row));
}
function fx_filter(table, ...conditions) {
  return fx_rows(table).filter((row) => conditions.every((holds) => fx_boolean(holds(row))));
}
function fx_countIf(table, ...conditions) {
  return fx_filter(table, ...conditions).length;
}
function fx_lookUp(table, holds, map) {
  for (const row of fx_rows(table)) if (fx_boolean(holds(row))) return map ? map(row) : row;
  return null;
}
function fx_concat(table, map, separator) {
  return fx_rows(table).map((row) => fx_text(map(row))).join(fx_text(separator ?? null));
}
function fx_search(table, text, ...columns) {
  const wanted = fx_text(text).toLowerCase();
  return fx_rows(table).filter((row) => columns.some((name) => fx_text(fx_field(row, name)).toLowerCase().includes(wanted)));
}
function fx_with(record, map) {
  return map(record);
}
function fx_numbers(values) {
  return values.flat().map(fx_single).filter((value) => value !== null).map(fx_number);
}
function fx_sum(...values) {
  return fx_exact(fx_numbers(values).reduce((sum, number) => sum + number, 0));
}
function fx_average(...values) {
  const numbers = fx_numbers(values);
  return fx_exact(numbers.reduce((sum, number) => sum + number, 0) / numbers.length);
}
function fx_min(...values) {
  const numbers = fx_numbers(values);
  return numbers.length === 0 ? null : Math.min(...numbers);
}
function fx_max(...values) {
  const numbers = fx_numbers(values);
  return numbers.length === 0 ? null : Math.max(...numbers);
}
function fx_distinct(table, map) {
  const seen = new Map();
  for (const row of fx_rows(table)) {
    const value = map(row);
    if (!seen.has(fx_canonical(value))) seen.set(fx_canonical(value), value);
  }
  return [...seen.values()];
}
function fx_sort(table, map, order) {
  const sign = /^desc/i.test(fx_text(order ?? null)) ? -1 : 1;
  return fx_rows(table)
    .map((row) => [map(row), row])
    .sort(([one], [other]) => (fx_less(one, other) ? -sign : fx_less(other, one) ? sign : 0))
    .map(([, row]) => row);
}
function fx_sortByColumns(table, name, order) {
  return fx_sort(table, (row) => fx_field(row, name), order);
}
function fx_record(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value) ? value : { Value: value };
}
function fx_addColumns(table, name, map) {
  return fx_rows(table).map((row) => fx_assign(fx_record(row), [name], map(row)));
}
function fx_dropColumns(table, ...names) {
  return fx_rows(table).map((row) => Object.fromEntries(Object.entries(fx_record(row)).filter(([key]) => !names.includes(key))));
}
function fx_showColumns(table, ...names) {
  return fx_rows(table).map((row) => Object.fromEntries(names.map((name) => [name, fx_field(row, name)])));
}
function fx_renameColumns(table, from, to) {
  return fx_rows(table).map((row) => Object.fromEntries(Object.entries(fx_record(row)).map(([key, value]) => [key === from ? to : key, value])));
}
function fx_table(...records) {
  return records.flat();
}
function fx_sequence(count, start, step) {
  const length = fx_int(count);
  if (length > 50000) throw new Error("A sequence of more than 50000 numbers.");
  return Array.from({ length }, (_, index) => fx_number(start ?? 1) + index * fx_number(step ?? 1));
}
function fx_concatenate(...values) {
  if (!values.some(Array.isArray)) return values.map((value) => fx_text(fx_single(value))).join("");
  const length = Math.max(...values.filter(Array.isArray).map((rows) => rows.length));
  return Array.from({ length }, (_, index) => values.map((value) => fx_text(fx_single(Array.isArray(value) ? (value[index] ?? null) : value))).join(""));
}
function fx_each(value, change) {
  return Array.isArray(value) ? value.map((row) => change(fx_text(fx_single(row)))) : change(fx_text(value));
}
function fx_len(value) {
  return fx_each(value, (text) => text.length);
}
function fx_lower(value) {
  return fx_each(value, (text) => text.toLowerCase());
}
function fx_upper(value) {
  return fx_each(value, (text) => text.toUpperCase());
}
function fx_proper(value) {
  return fx_each(value, (text) => text.toLowerCase().replace(/(^|[^\p{L}'’])(\p{L})/gu, (_, before, letter) => before + letter.toUpperCase()));
}
function fx_trim(value) {
  return fx_each(value, (text) => text.trim().replace(/ +/g, " "));
}
function fx_trimEnds(value) {
  return fx_each(value, (text) => text.trim());
}
function fx_left(value, count) {
  return fx_each(value, (text) => text.slice(0, Math.max(0, fx_int(count))));
}
function fx_right(value, count) {
  const number = Math.max(0, fx_int(count));
  return fx_each(value, (text) => (number === 0 ? "" : text.slice(-number)));
}
function fx_mid(value, start, count) {
  const from = fx_int(start) - 1;
  if (from < 0) throw new Error("Mid counts from 1.");
  return fx_each(value, (text) => (count === undefined ? text.slice(from) : text.slice(from, from + Math.max(0, fx_int(count)))));
}
function fx_find(wanted, value, start) {
  const from = fx_int(start ?? 1) - 1;
  if (from < 0) throw new Error("Find counts from 1.");
  const place = fx_text(value).indexOf(fx_text(wanted), from);
  return place < 0 ? null : place + 1;
}
function fx_replace(value, start, count, text) {
  const from = fx_int(start) - 1;
  if (from < 0) throw new Error("Replace counts from 1.");
  return fx_each(value, (old) => old.slice(0, from) + fx_text(text) + old.slice(from + Math.max(0, fx_int(count))));
}
function fx_substitute(value, old, text, which) {
  const wanted = fx_text(old);
  if (wanted === "") return fx_text(value);
  if (which === undefined) return fx_each(value, (given) => given.split(wanted).join(fx_text(text)));
  const parts = fx_text(value).split(wanted);
  const number = fx_int(which);
  if (number < 1 || number >= parts.length) return fx_text(value);
  return parts.slice(0, number).join(wanted) + fx_text(text) + parts.slice(number).join(wanted);
}
function fx_startsWith(value, start) {
  return fx_text(value).toLowerCase().startsWith(fx_text(start).toLowerCase());
}
function fx_endsWith(value, end) {
  return fx_text(value).toLowerCase().endsWith(fx_text(end).toLowerCase());
}
function fx_split(value, separator) {
  return fx_text(value).split(fx_text(separator));
}
function fx_char(code) {
  return String.fromCharCode(fx_int(code));
}
function fx_isNumeric(value) {
  return !fx_isBlank(value) && !fx_isError(() => fx_number(value));
}
function fx_encodeUrl(value) {
  return encodeURIComponent(fx_text(value));
}
function fx_pattern(pattern, options, whole) {
  const known = { Any: ".", Comma: ",", Digit: "\\d", Email: "[^\\s@]+@[^\\s@]+\\.[^\\s@]+", Hyphen: "-", LeftParen: "\\(", Letter: "\\p{L}", MultipleDigits: "\\d+", MultipleLetters: "\\p{L}+", MultipleNonSpaces: "\\S+", MultipleSpaces: "\\s+", NonSpace: "\\S", OptionalDigits: "\\d*", OptionalLetters: "\\p{L}*", OptionalNonSpaces: "\\S*", OptionalSpaces: "\\s*", Period: "\\.", RightParen: "\\)", Space: "\\s", Tab: "\\t" };
  const text = fx_text(pattern).replace(/Match\.(\w+);/g, (all, name) => known[name] ?? all);
  const chosen = options === undefined ? whole : fx_text(options);
  const flags = "u" + (/IgnoreCase/.test(chosen) ? "i" : "") + (/Multiline/.test(chosen) ? "m" : "") + (/DotAll/.test(chosen) ? "s" : "");
  const begins = /Complete|BeginsWith/.test(chosen) ? "^" : "";
  const ends = /Complete|EndsWith/.test(chosen) ? "$" : "";
  return new RegExp(begins + "(?:" + text + ")" + ends, flags);
}
function fx_isMatch(value, pattern, options) {
  return fx_pattern(pattern, options, "Complete").test(fx_text(value));
}
function fx_match(value, pattern, options) {
  const found = fx_pattern(pattern, options, "Contains").exec(fx_text(value));
  return found ? fx_found(found) : null;
}
function fx_matchAll(value, pattern, options) {
  const { source, flags } = fx_pattern(pattern, options, "Contains");
  return Array.from(fx_text(value).matchAll(new RegExp(source, flags + "g")), fx_found);
}
function fx_found(found) {
  const groups = Object.entries(found.groups ?? {}).map(([name, text]) => [name, text ?? null]);
  return { ...Object.fromEntries(groups), FullMatch: found[0], StartMatch: found.index + 1, SubMatches: found.slice(1).map((text) => text ?? null) };
}
`;
