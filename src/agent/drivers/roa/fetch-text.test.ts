import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFolder } from "#system/fixtures/create-folder.ts";
import { fetchText } from "./fetch-text.ts";

const { signal } = new AbortController();

async function fetchFrom(respond: RequestListener): Promise<string> {
  const server = createServer(respond).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    return await fetchText(`http://127.0.0.1:${(server.address() as AddressInfo).port}/roa4.conf`, signal);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test("reads a complete source from the network or a file", async () => {
  expect(await fetchFrom((_incoming, outgoing) => outgoing.end("route é"))).toBe("route é");
  const folder = await createFolder();
  await writeFile(join(folder, "roa4.conf"), "from a file");
  expect(await fetchText(join(folder, "roa4.conf"), signal)).toBe("from a file");
});

const megabyte = Buffer.alloc(1024 * 1024);

test.each<[string, RequestListener]>([
  ["it returned status 404", (_, outgoing) => outgoing.writeHead(404).end("route")],
  [
    "fetch failed",
    ({ url }, outgoing) => {
      // What follows the redirect gets a source.
      outgoing.writeHead(url === "/roa4.conf" ? 302 : 200, { location: "/elsewhere" }).end("route");
    },
  ],
  [
    "terminated",
    (_, outgoing) => {
      outgoing.writeHead(200, { "content-length": "100" });
      outgoing.write("route 172.20.1.0/26", () => outgoing.destroy());
    },
  ],
  [
    "it is larger than 16777216 bytes",
    (_, outgoing) => {
      const more = () => {
        while (outgoing.write(megabyte));
      };
      outgoing.on("drain", more);
      more();
    },
  ],
])("rejects a response: %s", async (message, respond) => {
  await expect(fetchFrom(respond)).rejects.toThrow(message);
});
