import { existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { finding } from "../sentences/sentences.ts";
import type { Check } from "../doctor-context.ts";

const hourMs = 3_600_000;
/** The timer runs daily, with a random delay. */
const maxAgeHours = 48;

/** Only the package has a timer. Other installations back up as their operator decides. */
export const checkBackups: Check = {
  name: "the backups",
  run: async ({ machine: { backupTimer, backupFolder: path } }) => {
    if (!existsSync(backupTimer)) return [];
    try {
      const names = (await readdir(path)).filter((name) => name.endsWith(".tar.gz") && !name.startsWith("."));
      const times = await Promise.all(names.map(async (name) => (await stat(join(path, name))).mtimeMs));
      if (times.length === 0) return [finding("backup-none", { path })];
      const ageHours = Math.max(0, Math.floor((Date.now() - Math.max(...times)) / hourMs));
      return [finding(ageHours > maxAgeHours ? "backup-old" : "backup-ok", { path, ageHours })];
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      return [finding("backup-unreadable", { path, reason: code ?? message })];
    }
  },
};
