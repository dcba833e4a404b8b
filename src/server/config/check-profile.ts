import { ConfigError } from "../../system/config/config-error.ts";
import { readProfile } from "./profile-file.ts";

/**
 * Returns what prevents a server from starting with a provider profile, one sentence for each problem, with file, line,
 * key and remedy. Empty if the profile is valid.
 */
export async function checkProfile(path: string): Promise<readonly string[]> {
  try {
    await readProfile(path, { isForServer: true, namedBy: "FILE" });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split("\n");
    throw error;
  }
}
