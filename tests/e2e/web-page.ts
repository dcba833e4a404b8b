import { createServer } from "node:http";
import { listenLocally, type LocalServer } from "./local-server.ts";

export interface WebPage extends LocalServer {
  /** The paths of all requests. */
  readonly requestedPaths: readonly string[];
}

/** Starts a web server of another site. It serves this page at every path except `/data`, which is plain text. */
export async function serveWebPage(html: string): Promise<WebPage> {
  const requestedPaths: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    requestedPaths.push(url);
    const isData = url === "/data";
    response.setHeader("content-type", isData ? "text/plain" : "text/html; charset=utf-8");
    response.end(isData ? "operational" : html);
  });
  return { ...(await listenLocally(server)), requestedPaths };
}
