/** Reads an environment variable. An empty one counts as unset, since many process managers cannot unset one. */
export function readVariable(env: Readonly<Record<string, string | undefined>>, name: string): string | null {
  return env[name]?.trim() || null;
}
