/**
 * What a function takes, one letter for each argument; the last is repeated before `*`, and those behind `?` may be left
 * out. `v`: a value; `l`: evaluated only when it is needed; `r`: an expression over each row; `c`: the name of a column.
 */
export type FunctionShape = { helper: string; takes: string };

const values = {
  Abs: ["fx_abs", "v"],
  AgentMessage: ["fx_agentMessage", "v"],
  AssistantMessage: ["fx_agentMessage", "v"],
  Boolean: ["fx_toBoolean", "v"],
  Char: ["fx_char", "v"],
  Coalesce: ["fx_coalesce", "l*"],
  Concatenate: ["fx_concatenate", "v*"],
  Count: ["fx_count", "v"],
  CountA: ["fx_countA", "v"],
  CountRows: ["fx_countRows", "v"],
  Date: ["fx_date", "vvv"],
  DateAdd: ["fx_dateAdd", "vv?v"],
  DateDiff: ["fx_dateDiff", "vv?v"],
  DateTime: ["fx_dateTime", "vvv?vvvv"],
  DateTimeValue: ["fx_dateTimeValue", "v?v"],
  DateValue: ["fx_dateValue", "v?v"],
  Day: ["fx_day", "v"],
  Decimal: ["fx_value", "v?v"],
  EncodeUrl: ["fx_encodeUrl", "v"],
  EndsWith: ["fx_endsWith", "vv"],
  Error: ["fx_error", "v"],
  Find: ["fx_find", "vv?v"],
  First: ["fx_first", "v"],
  FirstN: ["fx_firstN", "v?v"],
  Float: ["fx_value", "v?v"],
  Hour: ["fx_hour", "v"],
  IfError: ["fx_ifError", "l*"],
  Index: ["fx_index", "vv"],
  Int: ["fx_int", "v"],
  IsBlank: ["fx_isBlank", "v"],
  IsEmpty: ["fx_isEmpty", "v"],
  IsError: ["fx_isError", "l"],
  IsMatch: ["fx_isMatch", "vv?v"],
  IsNumeric: ["fx_isNumeric", "v"],
  IsToday: ["fx_isToday", "v"],
  IsUTCToday: ["fx_isToday", "v"],
  JSON: ["fx_toJson", "v?v"],
  Last: ["fx_last", "v"],
  LastN: ["fx_lastN", "v?v"],
  Left: ["fx_left", "vv"],
  Len: ["fx_len", "v"],
  Lower: ["fx_lower", "v"],
  Match: ["fx_match", "vv?v"],
  MatchAll: ["fx_matchAll", "vv?v"],
  MessageText: ["fx_messageText", "v"],
  Mid: ["fx_mid", "vv?v"],
  Minute: ["fx_minute", "v"],
  Mod: ["fx_mod", "vv"],
  Month: ["fx_month", "v"],
  Now: ["fx_now", ""],
  ParseJSON: ["fx_parseJson", "v?v"],
  Power: ["fx_power", "vv"],
  Proper: ["fx_proper", "v"],
  Replace: ["fx_replace", "vvvv"],
  Right: ["fx_right", "vv"],
  Round: ["fx_round", "v?v"],
  RoundDown: ["fx_trunc", "v?v"],
  RoundUp: ["fx_roundUp", "v?v"],
  Second: ["fx_second", "v"],
  Sequence: ["fx_sequence", "v?vv"],
  Split: ["fx_split", "vv"],
  Sqrt: ["fx_sqrt", "v"],
  StartsWith: ["fx_startsWith", "vv"],
  Substitute: ["fx_substitute", "vvv?v"],
  SystemMessage: ["fx_systemMessage", "v"],
  Table: ["fx_table", "v*"],
  Text: ["fx_format", "v?vv"],
  Time: ["fx_time", "vvv?v"],
  TimeValue: ["fx_timeValue", "v?v"],
  TimeZoneOffset: ["fx_timeZoneOffset", "?v"],
  Today: ["fx_today", ""],
  Trim: ["fx_trim", "v"],
  TrimEnds: ["fx_trimEnds", "v"],
  Trunc: ["fx_trunc", "v?v"],
  UTCNow: ["fx_now", ""],
  UTCToday: ["fx_today", ""],
  Upper: ["fx_upper", "v"],
  UserMessage: ["fx_userMessage", "v"],
  Value: ["fx_value", "v?v"],
  Weekday: ["fx_weekday", "v?v"],
  Year: ["fx_year", "v"],
} satisfies Record<string, [helper: string, takes: string]>;

const rows = {
  AddColumns: ["fx_addColumns", "vcr"],
  Average: ["fx_average", "v*"],
  Concat: ["fx_concat", "vr?v"],
  CountIf: ["fx_countIf", "vr*"],
  Distinct: ["fx_distinct", "vr"],
  DropColumns: ["fx_dropColumns", "vc*"],
  Filter: ["fx_filter", "vr*"],
  ForAll: ["fx_forAll", "vr"],
  LookUp: ["fx_lookUp", "vr?r"],
  Max: ["fx_max", "v*"],
  Min: ["fx_min", "v*"],
  RenameColumns: ["fx_renameColumns", "vcc"],
  Search: ["fx_search", "vvc*"],
  ShowColumns: ["fx_showColumns", "vc*"],
  Sort: ["fx_sort", "vr?v"],
  SortByColumns: ["fx_sortByColumns", "vc?v"],
  Sum: ["fx_sum", "v*"],
  With: ["fx_with", "vr"],
} satisfies Record<string, [helper: string, takes: string]>;

const shapes: ReadonlyMap<string, FunctionShape> = new Map(
  Object.entries({ ...values, ...rows }).map(([name, [helper, takes]]) => [name.toLowerCase(), { helper, takes }]),
);

/** The function of that name, in any case; undefined if it is not supported. */
export function shapeOf(name: string): FunctionShape | undefined {
  return shapes.get(name.toLowerCase());
}

/** Functions over the numbers of a column, where a second argument names it: `Sum(table, column)`. */
export const columnFunctions: ReadonlySet<string> = new Set(["sum", "average", "min", "max"]);

/** How many arguments a function takes. */
export function countsOf({ takes }: FunctionShape): { least: number; most: number } {
  const [needed = "", optional = ""] = takes.replace("*", "").split("?");
  const most = takes.endsWith("*") ? Number.POSITIVE_INFINITY : needed.length + optional.length;
  return { least: needed.length, most };
}

/** What the function takes at a place. */
export function kindAt({ takes }: FunctionShape, index: number): string {
  const letters = takes.replace(/[?*]/g, "");
  return letters[Math.min(index, letters.length - 1)] ?? "v";
}

/** Sets of named values. A member is its own name. */
export const enumerations: ReadonlySet<string> = new Set([
  "DateTimeFormat",
  "ErrorKind",
  "JSONFormat",
  "Match",
  "MatchOptions",
  "SortOrder",
  "StartOfWeek",
  "TimeUnit",
]);
