import { readMaintainers } from "../contacts.ts";
import type { ReadObject, RpslObject } from "../objects.ts";
import type { AuthKey, AuthKeys, UnusableLine } from "./auth-keys.ts";
import { type AuthLine, readAuthLine, toShortLine } from "./auth-line.ts";
import { readKeyCert } from "./key-cert.ts";

/** Few ASes have more than three, and few maintainers more than four lines. */
const maxMaintainers = 12;
const maxLines = 24;

/**
 * Reads the keys of the maintainers of an aut-num, each key once. Those that keep the registry itself never count: DN42-MNT, and
 * `registryMaintainers` in upper case.
 */
export async function readAuthKeys(
  read: ReadObject,
  autNum: RpslObject,
  registryMaintainers: readonly string[],
): Promise<AuthKeys> {
  const keys = new Map<string, AuthKey>();
  const unusable: UnusableLine[] = [];
  const maintainers = new Set(readMaintainers(autNum, registryMaintainers));
  for (const maintainer of [...maintainers].slice(0, maxMaintainers)) {
    const values = (await read("mntner", maintainer))?.get("auth") ?? [];
    for (const value of values.slice(0, maxLines)) {
      const found = await resolve(read, readAuthLine(value));
      if (found.kind === "unusable") {
        unusable.push({ maintainer, line: toShortLine(value), problem: found.problem });
      } else if (isBetter(found, keys.get(found.fingerprint))) {
        keys.set(found.fingerprint, { ...found, maintainer });
      }
    }
    const [next] = values.slice(maxLines);
    if (next !== undefined) {
      unusable.push({
        maintainer,
        line: toShortLine(next),
        problem: { code: "too-many-lines", max: maxLines },
      });
    }
  }
  return { keys: [...keys.values()], unusable };
}

type ResolvedLine = Exclude<AuthLine, { readonly kind: "key-cert" }>;

/** Reads the key-cert object that a line names. */
async function resolve(read: ReadObject, line: AuthLine): Promise<ResolvedLine> {
  if (line.kind !== "key-cert") return line;
  const name = toShortLine(line.name);
  const object = await read("key-cert", line.name);
  if (!object) return { kind: "unusable", problem: { code: "no-key-cert", name } };
  const found = readKeyCert(object);
  if (found === "unreadable") return { kind: "unusable", problem: { code: "unreadable-key-cert", name } };
  if ("version" in found) {
    return { kind: "unusable", problem: { code: "other-pgp-version", name, version: found.version } };
  }
  return { kind: "pgp", type: name, ...found };
}

/** Of the same PGP key, a line with the public key saves the participant from pasting it. */
function isBetter(found: Exclude<ResolvedLine, { kind: "unusable" }>, known: AuthKey | undefined): boolean {
  return !known || (known.publicKey === null && found.publicKey !== null);
}
