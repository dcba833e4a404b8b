import { gzipSync } from "node:zlib";

export interface FirstRouteSize {
  /** Bytes, gzip. */
  readonly page: number;
  /** Bytes of the scripts that the page loads first, gzip, including styles. */
  readonly scripts: number;
}

/** Measures the transfer size of the front page. */
export async function firstRouteSize(url: string): Promise<FirstRouteSize> {
  const page = await text(url);
  const { first } = JSON.parse(/id="files">(.*?)</.exec(page)?.[1] ?? "") as {
    readonly first: readonly string[];
  };
  const all = await Promise.all(first.map((name) => text(`${url}/assets/${name}`)));
  return { page: gzipSize(page), scripts: all.reduce((sum, each) => sum + gzipSize(each), 0) };
}

function gzipSize(content: string): number {
  return gzipSync(content, { level: 9 }).length;
}

async function text(url: string): Promise<string> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} responded with ${response.status}`);
  return response.text();
}
