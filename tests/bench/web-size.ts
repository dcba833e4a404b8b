import { gzipSync } from "node:zlib";

export interface FirstRouteSize {
  /** Bytes, gzip. */
  readonly page: number;
  /** Bytes of the scripts that it asks for at once, gzip; styles are part of them. */
  readonly scripts: number;
}

/** What the front page weighs on the wire. */
export async function firstRouteSize(url: string): Promise<FirstRouteSize> {
  const page = await text(url);
  const { first } = JSON.parse(/id="files">(.*?)</.exec(page)?.[1] ?? "") as {
    readonly first: readonly string[];
  };
  const all = await Promise.all(first.map((name) => text(`${url}/assets/${name}`)));
  return { page: weightOf(page), scripts: all.reduce((sum, each) => sum + weightOf(each), 0) };
}

function weightOf(content: string): number {
  return gzipSync(content, { level: 9 }).length;
}

async function text(url: string): Promise<string> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} was answered with ${response.status}`);
  return response.text();
}
