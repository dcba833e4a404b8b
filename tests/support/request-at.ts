import { request } from "node:http";

export interface RequestAt {
  /** The Host header, which `fetch` does not let a caller choose. */
  readonly host: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON with POST; absent, the method is GET. */
  readonly body?: unknown;
}

/** Sends a request with another Host header than the server's address, as a reverse proxy does. Follows no redirect. */
export function requestAt(url: string, { host, headers, body }: RequestAt): Promise<Response> {
  const hasBody = body !== undefined;
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: hasBody ? "POST" : "GET",
      agent: false,
      headers: { ...(hasBody && { "content-type": "application/json" }), ...headers, host },
    });
    sent.on("error", reject);
    sent.on("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const received = new Headers();
        for (const [name, values] of Object.entries(response.headersDistinct))
          for (const value of values ?? []) received.append(name, value);
        resolve(new Response(Buffer.concat(chunks), { status: response.statusCode ?? 0, headers: received }));
      });
    });
    sent.end(hasBody ? JSON.stringify(body) : undefined);
  });
}
