const thisYear = new Intl.DateTimeFormat("en", {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});
const otherYear = new Intl.DateTimeFormat("en", {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});
const exact = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium", hourCycle: "h23" });

/** A moment as a list shows it, in the reader's time zone. */
export function formatMoment(isoDate: string, nowMs = Date.now()): string {
  const date = new Date(isoDate);
  if (Number.isNaN(date.getTime())) return isoDate;
  const isThisYear = date.getFullYear() === new Date(nowMs).getFullYear();
  return (isThisYear ? thisYear : otherYear).format(date);
}

/** A moment with its seconds. */
export function formatExactMoment(isoDate: string): string {
  const date = new Date(isoDate);
  return Number.isNaN(date.getTime()) ? isoDate : exact.format(date);
}
