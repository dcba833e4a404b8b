/** Replaces the public tile server with tiles of the same size, so that no request leaves the machine. */
import { createHash, randomBytes, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:https";
import { crc32, deflateSync } from "node:zlib";
import { generate } from "selfsigned";

export interface TileServer extends AsyncDisposable {
  readonly port: number;
  /** Hash of the certificate's public key, for a browser that must trust it. */
  readonly keyHash: string;
}

/** @param host the host name of the requests. */
export async function serveTiles(host: string): Promise<TileServer> {
  const { cert, private: key } = await generate([{ name: "commonName", value: host }]);
  const tile = createTile();
  const server = createServer({ cert, key }, (_request, response) => {
    response.setHeader("content-type", "image/png");
    response.setHeader("cache-control", "public, max-age=604800");
    response.setHeader("cross-origin-resource-policy", "cross-origin");
    response.end(tile);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the tile server has no port");
  const publicKey = new X509Certificate(cert).publicKey.export({ type: "spki", format: "der" });
  return {
    port: address.port,
    keyHash: createHash("sha256").update(publicKey).digest("base64"),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const side = 256;
const noisyRows = 64;

/** Creates a PNG of 16 kB, the size of a tile with coasts and names. The noisy rows do not compress. */
function createTile(): Buffer {
  const rows = Array.from({ length: side }, (_, row) =>
    Buffer.concat([Buffer.from([0]), row < noisyRows ? randomBytes(side) : Buffer.alloc(side, 0xd3)]),
  );
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  // Eight bits of grey per pixel.
  header.writeUInt8(8, 8);
  return Buffer.concat([
    Buffer.from("\u0089PNG\r\n\u001A\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.concat(rows))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}
