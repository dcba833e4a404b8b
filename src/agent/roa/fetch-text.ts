import { readFile } from "node:fs/promises";

const timeLimitMs = 60_000;
const sizeLimitBytes = 16 * 1024 * 1024;

/**
 * Reads a source of ROAs, whole or not at all: `https://…`, where redirects are not followed, or the absolute
 * path of a file that another program keeps current.
 */
export async function fetchText(source: string, signal: AbortSignal): Promise<string> {
  if (source.startsWith("/")) return readFile(source, { encoding: "utf8", signal });
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeLimitMs)]);
  const response = await fetch(source, { redirect: "error", signal: limit });
  if (!response.ok) throw new Error(`it answered ${response.status}`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > sizeLimitBytes) throw new Error(`it is larger than ${sizeLimitBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
