import { once } from "node:events";
import { createServer } from "node:http";

export interface WebPage extends AsyncDisposable {
  readonly url: string;
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
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the page has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    requestedPaths,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
