import { readFile } from "node:fs/promises";

const timeoutMs = 60_000;
const maxSizeBytes = 16 * 1024 * 1024;

/**
 * Reads a source of ROAs completely or rejects. A source is an `https://…` URL, whose redirects are not
 * followed, or the absolute path of a file.
 */
export async function fetchText(source: string, signal: AbortSignal): Promise<string> {
  if (source.startsWith("/")) return readFile(source, { encoding: "utf8", signal });
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const response = await fetch(source, { redirect: "error", signal: limit });
  if (!response.ok) throw new Error(`it returned status ${response.status}`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxSizeBytes) throw new Error(`it is larger than ${maxSizeBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
