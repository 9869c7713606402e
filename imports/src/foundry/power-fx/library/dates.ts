/** Helpers for dates and times, which are ISO 8601 texts; the time zone is UTC. See `values.ts`. */
export const dateHelpers = String.raw`
function fx_isDate(value) {
  return typeof value === "string" && /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:?\d{2})?)?$/.test(value);
}
function fx_moment(value) {
  if (fx_isBlank(value)) return 0;
  if (typeof value === "number") return value;
  const text = fx_text(value).trim();
  const time = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3}))?)?\s*(am|pm)?$/i.exec(text);
  if (time) {
    const hour = (Number(time[1]) % (time[5] ? 12 : 24)) + (/pm/i.test(time[5] ?? "") ? 12 : 0);
    return ((hour * 60 + Number(time[2])) * 60 + Number(time[3] ?? 0)) * 1000 + Number((time[4] ?? "0").padEnd(3, "0"));
  }
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(.*)$/.exec(text);
  if (american) return Date.UTC(Number(american[3]), Number(american[1]) - 1, Number(american[2])) + (american[4].trim() ? fx_moment(american[4]) : 0);
  const isLocal = /^\d{4}-\d{2}-\d{2}[T ][\d:.]+$/.test(text);
  const moment = Date.parse(isLocal ? text.replace(" ", "T") + "Z" : text);
  if (Number.isNaN(moment)) throw new Error(JSON.stringify(value) + " is neither a date nor a time.");
  return moment;
}
function fx_iso(moment) {
  return new Date(moment).toISOString();
}
function fx_isoLike(value, moment) {
  return /T|:/.test(fx_text(value)) ? fx_iso(moment) : fx_iso(moment).slice(0, 10);
}
function fx_date(year, month, day) {
  return fx_iso(Date.UTC(fx_int(year), fx_int(month) - 1, fx_int(day))).slice(0, 10);
}
function fx_time(hour, minute, second, millisecond) {
  const moment = ((fx_int(hour) * 60 + fx_int(minute)) * 60 + fx_int(second)) * 1000 + fx_int(millisecond ?? null);
  return fx_iso(moment).slice(11, 19);
}
function fx_dateTime(year, month, day, hour, minute, second) {
  return fx_iso(Date.UTC(fx_int(year), fx_int(month) - 1, fx_int(day), fx_int(hour ?? null), fx_int(minute ?? null), fx_int(second ?? null)));
}
function fx_dateValue(value) {
  return fx_isBlank(value) ? null : fx_iso(fx_moment(value)).slice(0, 10);
}
function fx_timeValue(value) {
  return fx_isBlank(value) ? null : fx_iso(fx_moment(value)).slice(11, 19);
}
function fx_dateTimeValue(value) {
  return fx_isBlank(value) ? null : fx_iso(fx_moment(value));
}
function fx_now() {
  return fx_iso(Date.now());
}
function fx_today() {
  return fx_now().slice(0, 10);
}
function fx_isToday(value) {
  return !fx_isBlank(value) && fx_iso(fx_moment(value)).slice(0, 10) === fx_today();
}
function fx_part(value, name) {
  return new Date(fx_moment(value))["getUTC" + name]();
}
function fx_year(value) {
  return fx_part(value, "FullYear");
}
function fx_month(value) {
  return fx_part(value, "Month") + 1;
}
function fx_day(value) {
  return fx_part(value, "Date");
}
function fx_hour(value) {
  return fx_part(value, "Hours");
}
function fx_minute(value) {
  return fx_part(value, "Minutes");
}
function fx_second(value) {
  return fx_part(value, "Seconds");
}
function fx_weekday(value, first) {
  const begins = { sunday: 0, monday: 1, tuesday: 2, wednesday: 3, thursday: 4, friday: 5, saturday: 6 }[fx_text(first ?? null).toLowerCase()] ?? 0;
  return ((fx_part(value, "Day") - begins + 7) % 7) + 1;
}
function fx_unit(unit) {
  return fx_text(unit ?? null).toLowerCase().replace(/s?$/, "s");
}
function fx_unitMs(unit) {
  return { milliseconds: 1, seconds: 1000, minutes: 60000, hours: 3600000, days: 86400000 }[unit];
}
function fx_moveDate(value, amount, unit) {
  const moment = fx_moment(value);
  const ms = fx_unitMs(unit);
  if (ms !== undefined) {
    const moved = moment + amount * ms;
    return ms < 86400000 || amount % 1 !== 0 ? fx_iso(moved) : fx_isoLike(value, moved);
  }
  const months = Math.trunc(amount) * { months: 1, quarters: 3, years: 12 }[unit];
  if (Number.isNaN(months)) throw new Error("An unknown unit of time.");
  const date = new Date(moment);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  date.setUTCDate(Math.min(day, new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()));
  return fx_isoLike(value, date.getTime());
}
function fx_dateAdd(value, amount, unit) {
  return fx_isBlank(value) ? null : fx_moveDate(value, fx_number(amount), unit === undefined ? "days" : fx_unit(unit));
}
function fx_dateDiff(start, end, unit) {
  const name = unit === undefined ? "days" : fx_unit(unit);
  const months = (fx_year(end) - fx_year(start)) * 12 + fx_month(end) - fx_month(start);
  if (name === "months") return months;
  if (name === "quarters") return Math.floor(((fx_year(end) * 12 + fx_month(end) - 1) / 3)) - Math.floor((fx_year(start) * 12 + fx_month(start) - 1) / 3);
  if (name === "years") return fx_year(end) - fx_year(start);
  const ms = fx_unitMs(name);
  return Math.floor(fx_moment(end) / ms) - Math.floor(fx_moment(start) / ms);
}
function fx_timeZoneOffset() {
  return 0;
}
function fx_format(value, format) {
  if (format === undefined) return fx_text(value);
  if (fx_isBlank(value)) return "";
  if (fx_isDate(value) || /^\d{2}:\d{2}:\d{2}$/.test(fx_text(value))) return fx_formatDate(fx_moment(value), fx_text(format));
  return typeof value === "number" || fx_isNumeric(value) ? fx_formatNumber(fx_number(value), fx_text(format)) : fx_text(value);
}
function fx_formatNumber(value, format) {
  const [, before, pattern, after] = /^([^#0.,]*)([#0.,]*)(.*)$/s.exec(format);
  if (pattern === "") return format;
  const [whole, decimals = ""] = pattern.split(".");
  const number = after.includes("%") ? value * 100 : value;
  const [digits, fraction = ""] = Math.abs(fx_round(number, decimals.length)).toFixed(decimals.length).split(".");
  const least = decimals.replace(/[^0]/g, "").length;
  const kept = fraction.slice(0, least) + fraction.slice(least).replace(/0+$/, "");
  const padded = digits.padStart(whole.replace(/[^0]/g, "").length, "0");
  const grouped = whole.includes(",") ? padded.replace(/\B(?=(\d{3})+$)/g, ",") : padded;
  return (number < 0 ? "-" : "") + before + grouped + (kept === "" ? "" : "." + kept) + after;
}
function fx_formatDate(moment, format) {
  const named = { shortdate: "m/d/yyyy", longdate: "dddd, mmmm d, yyyy", shorttime: "h:mm AM/PM", longtime: "h:mm:ss AM/PM", shortdatetime: "m/d/yyyy h:mm AM/PM", longdatetime: "dddd, mmmm d, yyyy h:mm:ss AM/PM", shorttime24: "hh:mm", longtime24: "hh:mm:ss", shortdatetime24: "m/d/yyyy hh:mm", longdatetime24: "dddd, mmmm d, yyyy hh:mm:ss" };
  if (/^utc$/i.test(format)) return fx_iso(moment);
  const pattern = named[format.toLowerCase()] ?? format;
  const months = "January February March April May June July August September October November December".split(" ");
  const days = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");
  const date = new Date(moment);
  const halves = /am\/pm|a\/p/i.test(pattern);
  const hour = halves ? ((date.getUTCHours() + 11) % 12) + 1 : date.getUTCHours();
  const two = (number) => String(number).padStart(2, "0");
  let afterHour = false;
  return pattern.replace(/yyyy|yy|m{1,4}|d{1,4}|h{1,2}|s{1,2}|f{1,3}|am\/pm|a\/p|"[^"]*"/gi, (token) => {
    const kind = token.toLowerCase();
    const isMinute = /^mm?$/.test(kind) && (afterHour || token === "nn");
    afterHour = /^h/.test(kind);
    if (token.startsWith('"')) return token.slice(1, -1);
    if (kind === "yyyy") return String(date.getUTCFullYear());
    if (kind === "yy") return String(date.getUTCFullYear()).slice(-2);
    if (isMinute) return kind === "m" ? String(date.getUTCMinutes()) : two(date.getUTCMinutes());
    if (kind[0] === "m") return [String(date.getUTCMonth() + 1), two(date.getUTCMonth() + 1), months[date.getUTCMonth()].slice(0, 3), months[date.getUTCMonth()]][kind.length - 1];
    if (kind[0] === "d") return [String(date.getUTCDate()), two(date.getUTCDate()), days[date.getUTCDay()].slice(0, 3), days[date.getUTCDay()]][kind.length - 1];
    if (kind[0] === "h") return kind.length === 1 ? String(hour) : two(hour);
    if (kind[0] === "s") return kind.length === 1 ? String(date.getUTCSeconds()) : two(date.getUTCSeconds());
    if (kind[0] === "f") return String(date.getUTCMilliseconds()).padStart(3, "0").slice(0, kind.length);
    return kind === "a/p" ? (date.getUTCHours() < 12 ? "a" : "p") : date.getUTCHours() < 12 ? "AM" : "PM";
  });
}
`;
