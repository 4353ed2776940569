// Values as people write them: text to the cells of a case, and cells to text. Numbers, dates, times and durations.

import { among } from "./data.js";
import { UNSEEN } from "./route.js";
import { plain } from "./words.js";

const TICKS = { D: 86400000000000n, s: 1000000000n, ms: 1000000n, us: 1000n, ns: 1n }; // in nanoseconds
const DATE = /^(-?\d{4,6})-(\d\d?)-(\d\d?)(?:[ T](\d\d?):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?)?\s*(Z|UTC|[+-]\d\d:?\d\d)?$/;
const CLOCK = /^(\d\d?):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?$/;
const DURATION = /^(-)?\s*(?:(\d+)\s*d)?\s*(?:(\d+)\s*h)?\s*(?:(\d+)\s*m)?\s*(?:(\d+)(?:\.(\d{1,9}))?\s*s)?$/;

// What kind of number a column holds: {family, unit}; family is number, date, datetime, duration or time.
export function meaning(column) {
  if (column.dtype === "date") return { family: "date", unit: "D", example: "2024-02-29" };
  if (column.dtype === "time") return { family: "time", unit: "us", example: "13:30" };
  const [, family, unit] = /^(datetime|timedelta)64\[(\w+)/.exec(column.dtype) ?? [];
  if (family === "datetime") return { family, unit, example: "2024-02-29 13:30" };
  if (family === "timedelta") return { family: "duration", unit, example: "1d 2h 30m" };
  return { family: "number", unit: null, example: "12.5" };
}

export const isWhole = (column) => /^u?int64$/.test(column.dtype) || meaning(column).family !== "number";

// The cell of a numeric column that a text means; undefined if it means none.
export function readCell(column, given) {
  const text = given.trim();
  if (text === "") return null;
  const { family, unit } = meaning(column);
  const ticks = (nanoseconds) => (nanoseconds === undefined ? undefined : small(floorDivide(nanoseconds, TICKS[unit])));
  if (family === "number") return plainNumber(text);
  if (family === "duration") return ticks(readDuration(text));
  if (family === "time") return ticks(readClock(text));
  return ticks(readDate(text));
}

function plainNumber(text) {
  if (/^[+-]?(inf|infinity|∞)$/i.test(text)) return text.startsWith("-") ? -Infinity : Infinity;
  if (/^[+-]?\d+$/.test(text)) return small(BigInt(text));
  const value = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : NaN;
  return Number.isNaN(value) ? undefined : value;
}

const small = (whole) => (whole >= -(2n ** 53n) && whole <= 2n ** 53n ? Number(whole) : whole);
const floorDivide = (a, b) => (a >= 0n ? a / b : -((-a + b - 1n) / b));
const fraction = (digits) => BigInt((digits ?? "").padEnd(9, "0"));

function readDate(text) {
  const found = DATE.exec(text);
  if (!found) return undefined;
  const [, year, month, day, hour = "0", minute = "0", second = "0", digits, zone = "Z"] = found;
  const time = new Date(0);
  time.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (time.getUTCMonth() !== Number(month) - 1 || time.getUTCDate() !== Number(day)) return undefined;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  time.setUTCHours(Number(hour), Number(minute), Number(second));
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone) ?? [null, "+", "0", "0"];
  const offset = (sign === "-" ? -1n : 1n) * (BigInt(hours) * 60n + BigInt(minutes)) * 60n;
  return (BigInt(time.getTime()) / 1000n - offset) * TICKS.s + fraction(digits);
}

function readClock(text) {
  const [, hour, minute, second = "0", digits] = CLOCK.exec(text) ?? [];
  if (hour === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  return (BigInt(hour) * 3600n + BigInt(minute) * 60n + BigInt(second)) * TICKS.s + fraction(digits);
}

function readDuration(text) {
  const found = DURATION.exec(text);
  if (!found || found.slice(2, 6).every((part) => part === undefined)) return undefined;
  const [days, hours, minutes, seconds] = found.slice(2, 6).map((part) => BigInt(part ?? 0));
  const whole = (((days * 24n + hours) * 60n + minutes) * 60n + seconds) * TICKS.s + fraction(found[6]);
  return found[1] ? -whole : whole;
}

// A number of a column as text that `readCell` reads.
export function writeNumber(column, value) {
  const { family, unit } = meaning(column);
  if (family === "number") return typeof value === "bigint" ? String(value) : value === Infinity ? "inf" : value === -Infinity ? "-inf" : String(value);
  const nanoseconds = BigInt(typeof value === "bigint" ? value : Math.floor(value)) * TICKS[unit];
  if (family === "duration") return writeDuration(nanoseconds);
  const [seconds, rest] = [floorDivide(nanoseconds, TICKS.s), ((nanoseconds % TICKS.s) + TICKS.s) % TICKS.s];
  const time = new Date(Number(seconds) * 1000);
  if (Number.isNaN(time.getTime())) return String(value);
  const digits = rest ? `.${String(rest).padStart(9, "0").replace(/0+$/, "")}` : "";
  const clock = time.toISOString().slice(11, 19) + digits;
  if (family === "time") return clock;
  const day = time.toISOString().slice(0, 10);
  return family === "date" || clock === "00:00:00" ? day : `${day} ${clock}`;
}

function writeDuration(nanoseconds) {
  const rest = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  const parts = [["d", 86400n], ["h", 3600n], ["m", 60n]].reduce(
    ({ text, left }, [name, size]) => {
      const count = left / (size * TICKS.s);
      return { text: count ? [...text, `${count}${name}`] : text, left: left - count * size * TICKS.s };
    },
    { text: [], left: rest },
  );
  const [whole, digits] = [parts.left / TICKS.s, parts.left % TICKS.s];
  const tail = digits ? `.${String(digits).padStart(9, "0").replace(/0+$/, "")}` : "";
  if (whole || digits || !parts.text.length) parts.text.push(`${whole}${tail}s`);
  return (nanoseconds < 0n ? "-" : "") + parts.text.join(" ");
}

// A cell in words.
export function cellText(column, cell) {
  if (cell === null) return "not known";
  if (column.levels) return cell === UNSEEN ? "a level never seen" : column.levels[cell];
  return meaning(column).family === "number" ? plain(cell) : writeNumber(column, cell);
}

// What a rule asks for, in words.
export function ruleWords(fields, rule) {
  if (rule.every) return rule.every.map((term) => ruleWords(fields, term)).join(" and ");
  const field = fields[rule.field];
  if (rule.among) return `${field.name} ${among(field, rule.among.slice(0, 4), rule.among.length - 4)}`;
  const named = (names) => names.filter((name) => name in rule).map((name) => [name, cellText(field, rule[name])])[0];
  const [low, high] = [named([">", ">="]), named(["<=", "<"])];
  if (low && high) return `${low[1]} ${low[0].replace(">", "<")} ${field.name} ${high[0]} ${high[1]}`;
  const [sign, text] = low ?? high ?? ["is", "known"];
  return `${field.name} ${sign} ${text}`;
}
