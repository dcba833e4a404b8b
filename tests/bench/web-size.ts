import { gzipSync } from "node:zlib";

export interface FirstRouteSize {
  /** Bytes, gzip. */
  readonly page: number;
  /** Bytes of what the page names, gzip. */
  readonly scriptsAndStyles: number;
}

/** What the front page weighs on the wire. */
export async function firstRouteSize(url: string): Promise<FirstRouteSize> {
  const page = await text(url);
  const files = Array.from(page.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css))"/g), ([, path = ""]) => path);
  const all = await Promise.all(files.map((path) => text(url + path)));
  return { page: weightOf(page), scriptsAndStyles: all.reduce((sum, each) => sum + weightOf(each), 0) };
}

function weightOf(content: string): number {
  return gzipSync(content, { level: 9 }).length;
}

async function text(url: string): Promise<string> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} was answered with ${response.status}`);
  return response.text();
}
