/** Requests of logged-in participants. Each names the row of the table that it is measured for. */
import { setTimeout as pause } from "node:timers/promises";
import { calls } from "#contract/calls.ts";
import type { Task } from "#contract/entities.ts";
import { sampleCalls } from "#contract/call-tables/sample-calls.ts";
import { peerUpdate } from "#tests/integration/server/participant.ts";
import type { Installation } from "./installation.ts";
import { keyOf, peerIpv6Of } from "./layout.ts";

const measuredCalls = { ...calls, ...sampleCalls };
export type ReadCall =
  | "authStatus"
  | "getPeerStatus"
  | "getPeeringHistory"
  | "getNodeHistories"
  | "getNodeSeries"
  | "getTrafficSeries";

export type Participants = ReturnType<typeof createParticipants>;

export function createParticipants({ url, cookies }: Pick<Installation, "url" | "cookies">) {
  async function send(path: string, asn: string, body: unknown, row = ""): Promise<string> {
    const response = await fetch(`${url}${path}${row && `?row=${row}`}`, {
      headers: { cookie: cookies.get(asn) ?? "", "content-type": "application/json" },
      ...(body !== null && { method: "POST", body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${path} responded with ${response.status}: ${text}`);
    return text;
  }

  function read(name: ReadCall, asn: string, row?: string): Promise<string> {
    const { path, body } = measuredCalls[name];
    return send(path, asn, body && { username: asn }, row);
  }

  /** Submits another endpoint port for a peering, or a new peering. Another number is another port. */
  async function submit(asn: string, node: string, number: number, row?: string): Promise<Task> {
    const update = peerUpdate({
      node,
      remote_port: String(10_000 + (number % 50_000)),
      public_key: keyOf(asn),
      peer_ipv6: peerIpv6Of(asn),
    });
    return JSON.parse(await send(calls.updatePeerConfig.path, asn, [{ username: asn }, update], row)) as Task;
  }

  async function waitForEnd(asn: string, { taskID }: Pick<Task, "taskID">): Promise<Task> {
    for (;;) {
      const text = await send(calls.getTaskStatus.path, asn, { username: asn, taskID });
      const task = JSON.parse(text) as Task;
      if (task.status === "success") return task;
      if (task.status !== "waiting")
        throw new Error(`a deployment ended with ${task.status}: ${task.reason}`);
      await pause(20);
    }
  }

  return { send, read, submit, waitForEnd };
}
