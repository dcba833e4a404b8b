/** A request that is in progress while a server stops. */
import { connect } from "node:net";
import { expect } from "vitest";
import { waitFor } from "../support/wait-for.ts";

/** Sends the head of a login to 127.0.0.1, and waits until the server expects its body. */
export async function openRequest(port: number) {
  const body = JSON.stringify({ asn: "4242420001", password: "wrong" });
  const socket = connect(port, "127.0.0.1");
  let response = "";
  socket.on("data", (chunk: Buffer) => (response += chunk.toString()));
  const closed = new Promise((resolve) => socket.on("close", resolve));
  // A server that is killed resets the connection.
  socket.on("error", () => undefined);
  socket.write(
    `POST /api/login HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
  );
  await waitFor(() => expect(response).toContain("100 Continue"));
  return {
    /** Sends the body. Returns all that the server has sent when it closes the connection. */
    finish: async () => {
      socket.write(body);
      await closed;
      return response;
    },
  };
}

/** Whether a server accepts connections. */
export function isResponding(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`, { headers: { connection: "close" } }).then(
    () => true,
    () => false,
  );
}
