import type { Environment } from "#server/config/environment.ts";
import {
  accountStates,
  deploymentStates,
  type ListedPeering,
  listPeerings,
  type PeeringFilter,
  sessionStates,
} from "#server/features/peerings/list-peerings.ts";
import { invalidArguments, openCommandDatabase, parseArguments, readAsnOption } from "./command-line.ts";
import { countOf } from "#domain/text/plural.ts";

const formats = ["table", "csv", "json"] as const;

const usage = `peerdeck peerings [filters] [--format table]
  Lists the peerings of the database, by AS number and node. Each filter can be given several times.
  --as       4242420001
  --node     de01
  --state    ${deploymentStates.join(", ")}
             failed: the last deployment failed, and the configuration before it runs on
             conflict: the node has another version than the database
  --session  ${sessionStates.join(", ")}: the BGP session in the last half hour
  --account  ${accountStates.join(", ")}; none: the AS has no account any more
  --format   ${formats.join(", ")}; csv and json also have addresses, ports and public keys
  The column "changed" is the start of the last deployment.

  To remove a peering: peerdeck remove-peering --help
  To remove a node:    peerdeck nodes remove --help
  To block an AS:      peerdeck accounts --help`;

type Format = (typeof formats)[number];

/** Runs the command `peerings` and returns its exit code. Throws `ConfigError` if the arguments are invalid. */
export async function runPeeringsCommand(
  args: readonly string[],
  environment: Environment,
  print: (text: string) => void,
): Promise<number> {
  const { filter, format } = readOptions(args);
  // Only the list is printed: it may be the input of another program.
  await using database = await openCommandDatabase(environment, () => undefined);
  print(render[format](await listPeerings(database.db, filter, Date.now())));
  return 0;
}

function readOptions(args: readonly string[]): { readonly filter: PeeringFilter; readonly format: Format } {
  const text = { type: "string", multiple: true } as const;
  const { values } = parseArguments(
    args,
    {
      options: {
        as: text,
        node: text,
        state: text,
        session: text,
        account: text,
        format: { type: "string" },
      },
    },
    usage,
  );
  const {
    format: formatName = "table",
    as: asns = [],
    node = [],
    state = [],
    session = [],
    account = [],
  } = values;
  const format = formats.find((each) => each === formatName);
  if (!format) throw invalidArguments(`--format: ${formatName} is none of ${formats.join(", ")}`, usage);
  const as = asns.map((typed) => readAsnOption("as", typed, usage));
  assertOneOf("--state", state, deploymentStates);
  assertOneOf("--session", session, sessionStates);
  assertOneOf("--account", account, accountStates);
  return { filter: { as, node, state, session, account }, format };
}

function assertOneOf(option: string, values: readonly string[], known: readonly string[]): void {
  const wrong = values.find((value) => !known.includes(value));
  if (wrong !== undefined)
    throw invalidArguments(`${option}: ${wrong} is none of ${known.join(", ")}`, usage);
}

const columns = ["as", "node", "state", "session", "account", "endpoint", "changed"] as const;

const render: Readonly<Record<Format, (peerings: readonly ListedPeering[]) => string>> = {
  table(peerings) {
    if (peerings.length === 0) return "No peering matches.";
    const rows = [columns, ...peerings.map((peering) => columns.map((column) => peering[column] || "-"))];
    const widths = columns.map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
    const lines = rows.map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join("  ")
        .trimEnd(),
    );
    return [...lines, "", countOf(peerings.length, "peering")].join("\n");
  },
  csv(peerings) {
    const [first] = peerings;
    const keys = first ? (Object.keys(first) as Array<keyof ListedPeering>) : columns;
    return [keys, ...peerings.map((peering) => keys.map((key) => formatCell(String(peering[key]))))]
      .map((row) => row.join(","))
      .join("\n");
  },
  json: (peerings) => JSON.stringify(peerings, null, 2),
};

/** RFC 4180. */
function formatCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
