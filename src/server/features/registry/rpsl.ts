/** An object of the registry: every key in lower case with its values in the order of the file. */
export type RpslObject = ReadonlyMap<string, readonly string[]>;

const attribute = /^([A-Za-z][A-Za-z0-9-]*):(.*)$/;
const continuation = /^[ \t+](.*)$/;

/**
 * Reads an object as the registry writes it: `key:` with the value from column 20, keys that repeat, and
 * lines that go on with the value above where they start with a blank or `+` (a line break in the value).
 * Lines that are neither are left out.
 */
export function parseRpsl(text: string): RpslObject {
  const object = new Map<string, string[]>();
  let open: string[] | undefined;
  for (const line of text.split(/\r?\n/)) {
    const more = continuation.exec(line);
    const started = attribute.exec(line);
    if (more) {
      if (open) open.push(`${open.pop() ?? ""}\n${more[1]?.trim()}`.trim());
    } else if (started) {
      const key = started[1]?.toLowerCase() ?? "";
      open = object.get(key) ?? [];
      object.set(key, open);
      open.push(started[2]?.trim() ?? "");
    } else {
      open = undefined;
    }
  }
  return object;
}

/** The values of some keys, one after the other, without empty ones. */
export function valuesOf(object: RpslObject, ...keys: readonly string[]): readonly string[] {
  return keys.flatMap((key) => object.get(key) ?? []).filter((value) => value !== "");
}

/** Names in values: separated by blanks or commas, as `mnt-by: A-MNT, B-MNT` may be. */
export function namesIn(values: readonly string[]): readonly string[] {
  return values.flatMap((value) => value.split(/[\s,]+/)).filter((name) => name !== "");
}
