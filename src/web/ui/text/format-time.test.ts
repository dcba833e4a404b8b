import { expect, test } from "vitest";
import { formatDate, formatDay, formatExactTime, formatUtcDay, formatWeekday } from "./format-time.ts";
import { formatTimeOfDay } from "./time-of-day.ts";

const as = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat("en-GB", options);

test("dates and times are those of Intl, in the time zone of the device", () => {
  const expected = [
    [formatTimeOfDay, as({ hour: "2-digit", minute: "2-digit" })],
    [formatDate, as({ day: "numeric", month: "long", year: "numeric" })],
    [formatDay, as({ day: "numeric", month: "long" })],
    [formatUtcDay, as({ day: "numeric", month: "long", timeZone: "UTC" })],
    [formatWeekday, as({ weekday: "long" })],
    [formatExactTime, as({ dateStyle: "long", timeStyle: "long" })],
  ] as const;
  // Each day of two years, one of which is a leap year, at another time of the day.
  const times = Array.from(
    { length: 731 },
    (_, day) => Date.UTC(2027, 0, 1) + day * (86_400_000 + 4_567_000),
  );
  for (const [format, intl] of expected)
    expect(times.map((at) => format(at))).toEqual(times.map((at) => intl.format(at)));
});
