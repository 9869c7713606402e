/**
 * Helpers that translated expressions call, as JavaScript text: they run in the sandbox of a custom function, never
 * here. Blank is null. A message is its text or a record with `Text`. Dates and times are ISO 8601 texts. Source: Power
 * Fx reference, data types and operators.
 */
export const valueHelpers = String.raw`
function fx_text(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value;
  if (typeof value !== "object") return String(value);
  if (!Array.isArray(value) && typeof value.Text === "string") return value.Text;
  return JSON.stringify(value);
}
function fx_number(value) {
  if (value === null || value === undefined || value === "") return 0;
  if (typeof value === "boolean") return value ? 1 : 0;
  const single = fx_single(value);
  const number = typeof single === "number" ? single : Number(String(single).replace(/,(?=\d{3})/g, "").trim());
  if (!Number.isFinite(number)) throw new Error(JSON.stringify(value) + " is not a number.");
  return number;
}
function fx_single(value) {
  return value !== null && typeof value === "object" && Object.keys(value).length === 1 && "Value" in value ? value.Value : value;
}
function fx_boolean(value) {
  const single = fx_single(value);
  if (single === null || single === undefined || single === "") return false;
  if (typeof single === "boolean") return single;
  if (typeof single === "number") return single !== 0;
  const word = String(single).trim().toLowerCase();
  if (word === "true" || word === "false") return word === "true";
  throw new Error(JSON.stringify(value) + " is neither true nor false.");
}
function fx_exact(number) {
  if (!Number.isFinite(number)) throw new Error("A division by zero, or a number that is too large.");
  return Number.isInteger(number) ? number : Number(number.toPrecision(15));
}
function fx_add(left, right) {
  if (fx_isDate(left)) return fx_moveDate(left, fx_number(right), "days");
  if (fx_isDate(right)) return fx_moveDate(right, fx_number(left), "days");
  return fx_exact(fx_number(left) + fx_number(right));
}
function fx_subtract(left, right) {
  if (fx_isDate(left) && fx_isDate(right)) return fx_exact((fx_moment(left) - fx_moment(right)) / 86400000);
  if (fx_isDate(left)) return fx_moveDate(left, -fx_number(right), "days");
  return fx_exact(fx_number(left) - fx_number(right));
}
function fx_multiply(left, right) {
  return fx_exact(fx_number(left) * fx_number(right));
}
function fx_divide(left, right) {
  return fx_exact(fx_number(left) / fx_number(right));
}
function fx_power(left, right) {
  return fx_exact(fx_number(left) ** fx_number(right));
}
function fx_negate(value) {
  return -fx_number(value);
}
function fx_percent(value) {
  return fx_exact(fx_number(value) / 100);
}
function fx_equal(left, right) {
  const one = fx_single(left);
  const other = fx_single(right);
  if (one === null || other === null) return one === other;
  if (typeof one === "object" || typeof other === "object") {
    if (typeof one !== typeof other) return fx_text(one) === fx_text(other);
    return fx_canonical(one) === fx_canonical(other);
  }
  return typeof one === typeof other ? one === other : String(one).toLowerCase() === String(other).toLowerCase();
}
function fx_canonical(value) {
  if (Array.isArray(value)) return "[" + value.map(fx_canonical).join() + "]";
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return "{" + Object.keys(value).sort().map((key) => JSON.stringify(key) + fx_canonical(value[key])).join() + "}";
}
function fx_less(left, right) {
  const one = fx_single(left);
  const other = fx_single(right);
  const areTexts = typeof one === "string" && typeof other === "string";
  if (areTexts && (one.trim() === "" || other.trim() === "" || Number.isNaN(Number(one)) || Number.isNaN(Number(other)))) return one < other;
  return fx_number(one) < fx_number(other);
}
function fx_in(left, right) {
  if (Array.isArray(right)) return right.some((row) => fx_text(fx_single(row)).toLowerCase() === fx_text(left).toLowerCase());
  return fx_text(right).toLowerCase().includes(fx_text(left).toLowerCase());
}
function fx_exactIn(left, right) {
  if (Array.isArray(right)) return right.some((row) => fx_equal(row, left));
  return fx_text(right).includes(fx_text(left));
}
function fx_field(value, name) {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.map((row) => fx_field(row, name));
  if (typeof value === "string" && /^(text|value|content)$/i.test(name)) return value;
  if (typeof value !== "object") return name === "Value" ? value : null;
  return Object.hasOwn(value, name) && value[name] !== undefined ? value[name] : null;
}
function fx_column(rows, name) {
  for (const row of rows) {
    if (row === null || typeof row !== "object") {
      if (/^(text|value|content)$/i.test(name)) return row;
    } else if (Object.hasOwn(row, name)) return row[name];
  }
  return null;
}
function fx_assign(value, path, given) {
  if (path.length === 0) return given;
  const [name, ...rest] = path;
  const record = value !== null && typeof value === "object" && !Array.isArray(value) ? value : {};
  return Object.fromEntries([...Object.entries(record).filter(([key]) => key !== name), [name, fx_assign(fx_field(record, name), rest, given)]]);
}
function fx_isBlank(value) {
  const single = fx_single(value);
  return single === null || single === undefined || single === "";
}
function fx_coalesce(options) {
  for (const option of options) {
    const value = option();
    if (!fx_isBlank(value)) return value;
  }
  return null;
}
function fx_switch(value, cases, otherwise) {
  for (const [match, result] of cases) if (fx_equal(value, match())) return result();
  return otherwise();
}
function fx_ifError(options) {
  let failure = new Error("It failed.");
  for (const option of options) {
    try {
      return option();
    } catch (cause) {
      failure = cause;
    }
  }
  throw failure;
}
function fx_isError(option) {
  try {
    option();
    return false;
  } catch {
    return true;
  }
}
function fx_error(reason) {
  throw new Error(fx_text(fx_field(reason, "Message") ?? reason) || "The flow reports an error.");
}
function fx_toBoolean(value) {
  return fx_isBlank(value) ? null : fx_boolean(value);
}
function fx_value(value) {
  if (fx_isBlank(value)) return null;
  const text = fx_text(fx_single(value)).trim();
  return text.endsWith("%") ? fx_exact(fx_number(text.slice(0, -1)) / 100) : fx_number(text);
}
function fx_int(value) {
  return Math.floor(fx_number(value));
}
function fx_trunc(value, places) {
  return fx_places(value, places, Math.trunc);
}
function fx_round(value, places) {
  return fx_places(value, places, (number) => Math.sign(number) * Math.round(Math.abs(number)));
}
function fx_roundUp(value, places) {
  return fx_places(value, places, (number) => Math.sign(number) * Math.ceil(Math.abs(number)));
}
function fx_places(value, places, round) {
  const factor = 10 ** fx_number(places ?? null);
  return fx_exact(round(fx_exact(fx_number(value) * factor)) / factor);
}
function fx_mod(value, by) {
  const divisor = fx_number(by);
  if (divisor === 0) throw new Error("A division by zero.");
  return fx_exact(fx_number(value) - divisor * Math.floor(fx_number(value) / divisor));
}
function fx_abs(value) {
  return Math.abs(fx_number(value));
}
function fx_sqrt(value) {
  return fx_exact(Math.sqrt(fx_number(value)));
}
function fx_toJson(value, format) {
  const flat = fx_text(format ?? null).includes("FlattenValueTables");
  const rows = (given) => {
    if (Array.isArray(given)) return given.map((row) => (flat ? rows(fx_single(row)) : row === null || typeof row === "object" ? rows(row) : { Value: row }));
    if (given === null || typeof given !== "object") return given;
    return Object.fromEntries(Object.entries(given).map(([key, item]) => [key, rows(item)]));
  };
  return JSON.stringify(rows(value), null, fx_text(format ?? null).includes("IndentFour") ? 4 : undefined);
}
function fx_parseJson(text) {
  if (text !== null && typeof text === "object") return text;
  if (fx_isBlank(text)) return null;
  try {
    return JSON.parse(fx_text(text));
  } catch {
    throw new Error("The text is not JSON.");
  }
}
function fx_message(role, content) {
  const text = fx_messageText(content);
  return { Role: role, Content: [{ Type: "Text", Value: text }], Text: text };
}
function fx_userMessage(content) {
  return fx_message("User", content);
}
function fx_agentMessage(content) {
  return fx_message("Agent", content);
}
function fx_systemMessage(content) {
  return fx_message("System", content);
}
function fx_messageText(message) {
  if (Array.isArray(message)) return message.map(fx_messageText).filter((text) => text !== "").join("\n");
  if (message === null || typeof message !== "object") return fx_text(message);
  if (typeof message.Text === "string") return message.Text;
  if (typeof message.text === "string") return message.text;
  if ("Content" in message) return fx_messageText(message.Content);
  return "Value" in message ? fx_messageText(message.Value) : JSON.stringify(message);
}
function fx_lastMessage(flow) {
  const text = fx_text(flow.state.System_LastMessageText ?? flow.input ?? "");
  return { Id: flow.apiMessageId ?? null, Role: "User", Text: text };
}
`;
