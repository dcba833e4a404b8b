/** The table of the benchmark: what each row shows of a size, and its aim. */
import { formatMs, formatTable, median, worst } from "../figures.ts";
import type { DatabaseSizes } from "./databases.ts";
import type { IdleFigures, MinuteFigures } from "./minutes.ts";
import type { RequestFigures } from "./requests.ts";
import type { MeasuredRequest } from "./server-probe.ts";

/** What was measured with so many peerings. */
export interface ScaleFigures {
  readonly peerings: number;
  readonly requests: RequestFigures;
  /** Null if they were not measured. */
  readonly minutes: IdleFigures | null;
  readonly authByStatic: number;
  /** In bytes. */
  readonly idleRss: number;
  readonly usedRss: number;
  readonly sizes: DatabaseSizes;
}

interface Aim {
  readonly text: string;
  readonly isMet: (all: readonly ScaleFigures[]) => boolean;
}

interface Row {
  readonly name: string;
  readonly show: (figures: ScaleFigures) => string;
  readonly aim?: Aim;
}

const cpuOf = (requests: readonly MeasuredRequest[]) => requests.map(({ cpuMs }) => cpuMs);
const databaseOf = (requests: readonly MeasuredRequest[]) =>
  requests.map(({ databaseCpuMs }) => databaseCpuMs);
const megabytes = (bytes: number) => formatMs(bytes / 1e6);

function showRequests(requests: readonly MeasuredRequest[]): string {
  if (requests.length === 0) return "–";
  const database = median(databaseOf(requests));
  const own = formatMs(median(cpuOf(requests)));
  return `${database === 0 ? own : `${own} + ${formatMs(database)}`}, ${formatMs(worst(cpuOf(requests)))}`;
}

function showMinute(minute: MinuteFigures | null | undefined): string {
  if (!minute) return "–";
  const { cpuMs, databaseCpuMs } = minute;
  return databaseCpuMs === 0 ? formatMs(cpuMs) : `${formatMs(cpuMs)} + ${formatMs(databaseCpuMs)}`;
}

const showMs = (value: number | undefined) => (value === undefined ? "–" : formatMs(value));

/** No size has more than so many times the value of the first one. */
function atMostTimes(limit: number, value: (figures: ScaleFigures) => number, text = `${limit} times`): Aim {
  const isMet = ([first, ...others]: readonly ScaleFigures[]) =>
    first === undefined || others.every((each) => value(each) <= limit * value(first));
  return { text, isMet };
}

function atMost(limit: number, value: (figures: ScaleFigures) => number, text = String(limit)): Aim {
  return { text, isMet: (all) => all.every((each) => value(each) <= limit) };
}

function both(one: Aim, other: Aim): Aim {
  return { text: `${one.text}; ${other.text}`, isMet: (all) => one.isMet(all) && other.isMet(all) };
}

/** What counts as flat: the figures of one size differ by as much. */
const flatRatio = 1.5;

/** The row of a request: median and worst. */
function requestRow(
  name: string,
  row: keyof RequestFigures,
  aim: (value: ReadFigure, worst: ReadFigure) => Aim,
): Row {
  const requestsOf = ({ requests }: ScaleFigures) => requests[row];
  return {
    name,
    show: (figures) => showRequests(requestsOf(figures)),
    aim: aim(
      (figures) => median(cpuOf(requestsOf(figures))),
      (figures) => worst(cpuOf(requestsOf(figures))),
    ),
  };
}
type ReadFigure = (figures: ScaleFigures) => number;

const flat = (value: ReadFigure) => atMostTimes(flatRatio, value, "flat");

const rows: readonly Row[] = [
  requestRow("Submit answered", "submit", flat),
  requestRow("Status of 6 peerings, nodes read lately", "status6", flat),
  requestRow("the same, nodes to be read", "status6Unread", (value, highest) =>
    both(atMostTimes(2, value), atMost(30, highest, "worst 30")),
  ),
  requestRow("Status of 64 peerings, nodes read lately", "status64", flat),
  requestRow("the same, nodes to be read", "status64Unread", (value) => atMostTimes(2, value)),
  requestRow("getNodeSeries", "nodeSeries", (value) => atMost(5, value)),
  requestRow("getTrafficSeries", "traffic", (value) => atMost(5, value)),
  requestRow("getNodeHistories, nothing prepared", "history", (value) => atMost(5, value)),
  { name: "What happens every minute", show: ({ minutes }) => showMinute(minutes?.usual) },
  {
    name: "its longest stall",
    show: ({ minutes }) => showMs(minutes?.usual.stallMs),
    aim: atMost(50, ({ minutes }) => minutes?.usual.stallMs ?? 0),
  },
  { name: "the same, at the end of a half hour", show: ({ minutes }) => showMinute(minutes?.halfHour) },
  {
    name: "its longest stall",
    show: ({ minutes }) => showMs(minutes?.halfHour?.stallMs),
    aim: atMost(50, ({ minutes }) => minutes?.halfHour?.stallMs ?? 0),
  },
  {
    name: "RSS idle; after these requests, MB",
    show: ({ idleRss, usedRss }) => `${megabytes(idleRss)}; ${megabytes(usedRss)}`,
    aim: both(
      atMost(150e6, ({ idleRss }) => idleRss, "150"),
      atMost(200e6, ({ usedRss }) => usedRss, "200"),
    ),
  },
  {
    name: "CPU of an idle minute",
    show: ({ minutes }) => showMs(minutes?.idleCpuMs),
    aim: atMostTimes(2, ({ minutes }) => minutes?.idleCpuMs ?? 0),
  },
  {
    name: "Database; write-ahead log of SQLite, MB",
    show: ({ sizes: { data, log } }) =>
      log === null ? megabytes(data) : `${megabytes(data)}; ${megabytes(log)}`,
    aim: atMost(64 * 1024 * 1024, ({ sizes }) => sizes.log ?? 0, "log 64 MiB"),
  },
  {
    name: "auth-status : a static file",
    show: ({ authByStatic }) => authByStatic.toFixed(2),
    aim: atMost(1.5, ({ authByStatic }) => authByStatic),
  },
];

/** Formats the figures of one database, the smallest size first. */
export function formatScale(title: string, all: readonly ScaleFigures[]): string {
  const head = [title, ...all.map(({ peerings }) => String(peerings)), "aim", ""];
  const body = rows.map((row) => [row.name].concat(all.map(row.show), describeAim(row, all)));
  return formatTable([head, ...body]);
}

function describeAim({ show, aim }: Row, all: readonly ScaleFigures[]): readonly string[] {
  if (aim === undefined) return ["", ""];
  const isMeasured = all.every((each) => show(each) !== "–");
  return [aim.text, isMeasured ? (aim.isMet(all) ? "met" : "missed") : ""];
}
