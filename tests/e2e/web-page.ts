import { once } from "node:events";
import { createServer } from "node:http";

export interface WebPage extends AsyncDisposable {
  readonly url: string;
  /** Paths that browsers asked for. */
  readonly asked: readonly string[];
}

/** Somebody else's web server: this page at every path but `/data`, which is a word in plain text. */
export async function serveWebPage(html: string): Promise<WebPage> {
  const asked: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    asked.push(url);
    const isData = url === "/data";
    response.setHeader("content-type", isData ? "text/plain" : "text/html; charset=utf-8");
    response.end(isData ? "operational" : html);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the page has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
