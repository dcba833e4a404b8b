import { gzipSync } from "node:zlib";

/** Bytes of the front page, and of the scripts and styles that it names, gzip. */
export async function firstRouteSize(url: string): Promise<number> {
  const page = await text(url);
  const files = Array.from(page.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css))"/g), ([, path = ""]) => path);
  const all = await Promise.all(files.map((path) => text(url + path)));
  return [page, ...all].reduce((sum, each) => sum + gzipSync(each, { level: 9 }).length, 0);
}

async function text(url: string): Promise<string> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} was answered with ${response.status}`);
  return response.text();
}
