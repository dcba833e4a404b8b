/** The environment variable with the files that a run leaves out, separated by commas: vitest ignores `--exclude` in projects. */
export const leftOutVariable = "LEFT_OUT_TESTS";

export function readLeftOutFiles(): readonly string[] {
  return (process.env[leftOutVariable] ?? "").split(",").filter((file) => file !== "");
}
