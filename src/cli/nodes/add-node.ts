import * as v from "valibot";
import { nodeHost } from "#contract/node-host.ts";
import { formatJoinLine } from "#mtls/join-proof.ts";
import { ConfigError } from "#system/config/config-error.ts";
import { describeIssues } from "#system/config/config-problems.ts";
import { isWholeNumber, parsed } from "#system/config/config-values.ts";
import { noOrigin } from "#server/audit/audit-event.ts";
import { recordEvent } from "#server/audit/record-event.ts";
import type { Environment } from "#server/config/environment.ts";
import { nodeValues } from "#server/config/node-values.ts";
import { readProfile } from "#server/config/profile-file.ts";
import { parseOrigin } from "#server/config/profile-values.ts";
import { assertInstallationKind } from "#server/db/installation-kind.ts";
import { lockAllPeerings } from "#server/db/peering-locks.ts";
import { openSealer } from "#server/db/secrets/stored-secrets.ts";
import { addJoin, listValidJoins, type NewJoin } from "#server/nodes/node-joins.ts";
import { findNode } from "#server/nodes/node-rows.ts";
import type { Db } from "#server/db/open.ts";
import { openServerIdentity } from "#server/provider-server.ts";
import { invalidArguments, openCommandDatabase, parseArguments } from "../command-line.ts";
import { takeOverForCommand } from "./open-nodes.ts";

const usage = `peerdeck nodes add de01 --place "Frankfurt, Germany" [options]
  Prints a line for a router. It joins as a node when the line runs there, and is closed to new peerings until you open it.
  --place  where it is, as participants read it
  --at     50.11,8.68  its latitude and longitude; without them it is not on the map
  --valid  60          for how many minutes the line can be used, at most 1440
  --url    the server's URL in the line, for a router that does not reach the public one
  --again  print another line for this node; the earlier one becomes void
  --json   for programs`;

const maxMinutes = 24 * 60;

const options = v.object({
  name: nodeValues.name,
  place: nodeValues.place,
  at: v.optional(parsed("a latitude and a longitude such as 50.11,8.68", parseCoordinates)),
  valid: v.optional(parsed(`a whole number of minutes from 1 to ${maxMinutes}`, parseMinutes), "60"),
  url: v.optional(parsed("an http or https URL without a path", parseOrigin)),
});

/** Runs the command `nodes add`, whose arguments begin with the name, and returns its exit code. */
export async function runAddNode(
  args: readonly string[],
  environment: Environment,
  print: (text: string) => void,
): Promise<number> {
  const { name, place, at, valid, url, again, json } = readOptions(args);
  const { configPath, dataDir, secret } = environment;
  if (configPath === null) throw new ConfigError("PEERDECK_CONFIG does not name a provider profile.");
  const profile = await readProfile(configPath);
  await assertInstallationKind(environment, "provider");
  const { fingerprint } = await openServerIdentity(dataDir);
  await using database = await openCommandDatabase(environment, json ? () => undefined : print);
  const { db, eraseDeleted } = database;
  await takeOverForCommand({ db, profile, dataDir });
  const sealer = await openSealer({ db, eraseDeleted, dataDir, secret });
  const now = Date.now();
  const expiresAt = now + valid * 60_000;
  const join = { node: name, place, lat: at?.lat ?? null, lon: at?.lon ?? null, expiresAt };
  const token = await db.transaction().execute(async (tx) => {
    await lockAllPeerings(tx);
    await assertMayAdd(tx, join, again, now);
    const detail = `It can be used until ${toMinute(expiresAt)}.`;
    await recordEvent(tx, { kind: "join-line-created", asn: null, node: name, detail }, noOrigin, now);
    return addJoin(tx, sealer, join, now);
  });
  const line = `peerdeck-agent join '${formatJoinLine({ ...token, url: url ?? profile.publicUrl, serverFingerprint: fingerprint })}'`;
  if (json) print(JSON.stringify({ node: name, line, expires_at: new Date(expiresAt).toISOString() }));
  else
    print(
      `Run this line as root on the router that becomes ${nodeHost(name, profile.domain)}, once, until ${toMinute(expiresAt)}:\n\n` +
        `${line}\n\nWhen it has joined, open it to new peerings: peerdeck nodes open ${name}`,
    );
  return 0;
}

/** @throws {ConfigError} if the name is that of a node, or another line is valid */
async function assertMayAdd(tx: Db, { node }: NewJoin, again: boolean, now: number): Promise<void> {
  if ((await findNode(tx, node)) !== null)
    throw new ConfigError(`${node} is a node already. Nothing was changed. Choose another name.`);
  const waiting = again ? null : (await listValidJoins(tx, now)).find((join) => join.node === node);
  if (waiting)
    throw new ConfigError(
      `There is a line for ${node} that can be used until ${toMinute(waiting.expires_at)}. Nothing was changed. To make it void and print ` +
        "another one, add --again.",
    );
}

function readOptions(args: readonly string[]) {
  const value = { type: "string" } as const;
  const flag = { type: "boolean", default: false } as const;
  const { values, positionals } = parseArguments(
    args,
    {
      options: { place: value, at: value, valid: value, url: value, again: flag, json: flag },
      allowPositionals: true,
    },
    usage,
  );
  const [name, ...others] = positionals;
  if (name === undefined || others.length > 0) throw invalidArguments("Give one name", usage);
  if (values.place === undefined)
    throw invalidArguments(`${name} needs a place: --place "Frankfurt, Germany"`, usage);
  const read = v.safeParse(options, { ...values, name });
  if (read.success) return { ...read.output, again: values.again, json: values.json };
  const [problem] = describeIssues(options, read.issues, []);
  const key = problem?.path[0] === "name" ? "The " : "--";
  throw invalidArguments(`${key}${problem?.message.replace(/\.$/, "")}`, usage);
}

function parseCoordinates(given: string): { readonly lat: number; readonly lon: number } | null {
  const [, lat, lon] = /^(-?\d{1,3}(?:\.\d+)?),\s*(-?\d{1,3}(?:\.\d+)?)$/.exec(given) ?? [];
  const read = v.safeParse(v.object({ lat: nodeValues.lat, lon: nodeValues.lon }), {
    lat: Number(lat),
    lon: Number(lon),
  });
  return lat !== undefined && read.success ? read.output : null;
}

function parseMinutes(given: string): number | null {
  const minutes = /^\d+$/.test(given) ? Number(given) : 0;
  return isWholeNumber(minutes, 1, maxMinutes) ? minutes : null;
}

/** "2026-11-28 21:20 UTC" */
function toMinute(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
