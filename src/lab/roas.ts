/** Route origin authorisations of a registry, as BIRD reads them. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** The text of roa4.conf (from `route`) or roa6.conf (from `route6`). */
export async function renderRoas(registry: string, objects: "route" | "route6"): Promise<string> {
  const folder = join(registry, "data", objects);
  const names = (await readdir(folder)).toSorted();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  return texts.flatMap((text) => roasOf(text, objects)).join("");
}

function roasOf(text: string, objects: "route" | "route6"): readonly string[] {
  const values = (key: string) =>
    Array.from(text.matchAll(new RegExp(`^${key}: +(\\S+)`, "gm")), ([, value = ""]) => value);
  const [prefix = ""] = values(objects);
  const longest = values("max-length")[0] ?? (objects === "route" ? 29 : 64);
  return values("origin").map((origin) => `route ${prefix} max ${longest} as ${origin.replace("AS", "")};\n`);
}
