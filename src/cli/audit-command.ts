import { toPrintableLine } from "#system/printable-text.ts";
import { describeAuditEvent } from "#domain/audit-events.ts";
import { listStoredChanges, readEvents, type StoredEvent } from "#server/audit/read-events.ts";
import { toIdTime } from "#server/audit/record-event.ts";
import { invalidArguments, openCommandDatabase, parseArguments, readAsnOption } from "./command-line.ts";
import type { Environment } from "#server/config/environment.ts";

const usage = `peerdeck audit [--asn 4242420001] [--since 7d]
  Prints the audit log, the newest event first, a line for each event.
  --asn    only events of this AS
  --since  how far back, in days, hours or minutes: 7d, 12h, 30m; by default 7d`;

const unitMs: Readonly<Record<string, number>> = { d: 24 * 3_600_000, h: 3_600_000, m: 60_000 };
const pageSize = 1_000;

/**
 * Runs the command `audit` and returns its exit code. It can run while the server runs. Throws `ConfigError` if the
 * arguments are invalid.
 */
export async function runAuditCommand(
  args: readonly string[],
  environment: Environment,
  print: (text: string) => void,
): Promise<number> {
  const { asn, sinceMs } = readOptions(args);
  await using database = await openCommandDatabase(environment, print);
  const filter = { ...(asn !== null && { asn }), from: toIdTime(Date.now() - sinceMs), limit: pageSize };
  let before: { readonly before: string } | undefined;
  for (;;) {
    const events = await readEvents(database.db, { ...filter, ...before });
    for (const event of events) print(formatLine(event));
    const last = events.at(-1);
    if (!last || events.length < pageSize) return 0;
    before = { before: last.id };
  }
}

function readOptions(args: readonly string[]) {
  const { values } = parseArguments(
    args,
    { options: { asn: { type: "string" }, since: { type: "string" } } },
    usage,
  );
  const asn = values.asn === undefined ? null : readAsnOption("asn", values.asn, usage);
  const [, count = "", unit = ""] = /^(\d{1,6})([dhm])$/.exec(values.since ?? "7d") ?? [];
  if (unit === "") throw invalidArguments(`--since: ${values.since ?? ""} is not a time such as 7d`, usage);
  return { asn, sinceMs: Number(count) * (unitMs[unit] ?? 0) };
}

function formatLine(event: StoredEvent): string {
  const { at, kind, asn, node, detail, api_token: apiToken } = event;
  const changes = listStoredChanges(event);
  const text = describeAuditEvent(
    { kind, asn, host: node ?? "", changes, detail: detail ?? "", apiToken },
    "operator",
  );
  const values = changes.map(({ field, before, after }) =>
    [field, ...(before === null ? [] : [before, "→"]), after ?? "deleted"].join(" "),
  );
  const facts = [
    ["kind", kind],
    ["as", asn],
    ["network", event.prefix],
    ["session", event.login_session],
    ["request", event.request],
    ["task", event.task],
  ].flatMap(([name, value]) => (value === null ? [] : [`${name}=${value}`]));
  const line = [new Date(at).toISOString(), text, values.join(", "), `(${facts.join(" ")})`]
    .filter((part) => part !== "")
    .join("  ");
  return toPrintableLine(line);
}
