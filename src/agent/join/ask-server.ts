/**
 * Asks the server of a join line.
 *
 * Invariant: nothing of a response is believed before its proof, which only the server that printed the line can have made
 * for this request. A message of another response is printed, and nothing more.
 */
import { randomBytes } from "node:crypto";
import * as v from "valibot";
import { agentProtocol } from "../../contract/agent/agent-protocol.ts";
import {
  type JoinRequest,
  joinResponse,
  type JoinResponse,
  signedText,
} from "../../contract/agent/node-join.ts";
import { nodeCalls } from "../../contract/call-tables/node-calls.ts";
import { isSameProof, type JoinLine, proveRequest, proveResponse } from "../../mtls/join-proof.ts";
import { toPrintableLine } from "../../system/printable-text.ts";
import { SetupError } from "../setup/setup-arguments.ts";

const timeoutMs = 15_000;
const maxBytes = 64 * 1024;
const maxMessageLength = 1_000;
const nonceBytes = 16;

export interface JoinQuestion {
  readonly line: JoinLine;
  /** Of the agent's certificate. */
  readonly agentFingerprint: string;
  /** Null: only asks what the server knows. */
  readonly agent: JoinRequest["agent"];
  /** Of the whole exchange; default 15 s. */
  readonly timeoutMs?: number;
}

/** Sends a request, and returns what the server says. Throws `SetupError` with a sentence if it refuses or is not the line's. */
export async function askServer(question: JoinQuestion): Promise<JoinResponse> {
  const { line, agentFingerprint, agent } = question;
  const { url, serverFingerprint } = line;
  const nonce = randomBytes(nonceBytes).toString("base64url");
  const request: JoinRequest = { protocol: agentProtocol, serverFingerprint, agentFingerprint, nonce, agent };
  const text = JSON.stringify(request);
  const body = JSON.stringify({ token: line.id, request: { text, proof: proveRequest(line, text) } });
  const { status, location, content } = await post(url, body, question.timeoutMs ?? timeoutMs);
  if (location !== null) {
    throw new SetupError(
      `${url} redirects to ${toMessage(location)}, which is not followed. The server's public URL must lead to the server itself.`,
    );
  }
  if (status !== 200) throw new SetupError(describeRefusal(url, status, content));
  const signed = v.safeParse(signedText, parseJson(content));
  const isProven =
    signed.success && isSameProof(signed.output.proof, proveResponse(line, text, signed.output.text));
  if (!isProven) throw new SetupError(describeImpostor(url, "its proof is wrong"));
  const response = v.safeParse(joinResponse, parseJson(signed.output.text));
  if (!response.success)
    throw new SetupError(
      `${url} has another version than this agent: its response cannot be read. Upgrade the older one.`,
    );
  const { output } = response;
  if (output.nonce !== nonce) throw new SetupError(describeImpostor(url, "it answers another request"));
  if (output.serverFingerprint !== serverFingerprint || output.agentFingerprint !== agentFingerprint)
    throw new SetupError(describeImpostor(url, "it names other fingerprints"));
  return output;
}

interface Posted {
  readonly status: number;
  /** Of a redirect. */
  readonly location: string | null;
  readonly content: string;
}

async function post(url: string, body: string, limitMs: number): Promise<Posted> {
  try {
    const response = await fetch(url + nodeCalls.joinNode.path, {
      method: nodeCalls.joinNode.method,
      headers: { "content-type": "application/json" },
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(limitMs),
    });
    const { status, headers } = response;
    if (status >= 300 && status < 400) {
      await response.body?.cancel();
      return { status, location: headers.get("location") ?? "another URL", content: "" };
    }
    return { status, location: null, content: await readContent(response) };
  } catch (error) {
    if (error instanceof SetupError) throw error;
    throw new SetupError(describeFailure(url, error, limitMs), { cause: error });
  }
}

async function readContent(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes)
      throw new SetupError(
        describeImpostor(new URL(response.url).origin, `its response is longer than ${maxBytes} bytes`),
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function describeImpostor(url: string, reason: string): string {
  return (
    `This is not the server that the line is for: ${reason}. Either ${url} leads to another server, or something between ` +
    "changes what they send, or the line was not copied completely."
  );
}

function describeRefusal(url: string, status: number, content: string): string {
  const parsed = v.safeParse(v.object({ message: v.string() }), parseJson(content));
  if (parsed.success) return `${url} refused with status ${status}: ${toMessage(parsed.output.message)}`;
  return `${url} responded with status ${status}, and without a reason. Check that the URL leads to the Peerdeck server.`;
}

function describeFailure(url: string, error: unknown, limitMs: number): string {
  if ((error as Error).name === "TimeoutError") return `${url} did not respond within ${limitMs / 1000} s.`;
  const { cause } = error as { readonly cause?: NodeJS.ErrnoException };
  const reason = toMessage(cause?.message || cause?.code || String(error));
  return isTlsError(cause?.code)
    ? `The certificate of ${url} is not valid: ${reason.replace(/;.*/, "")}. If it is of your own authority, let this machine trust it: update-ca-certificates.`
    : `${url} cannot be reached: ${reason}.`;
}

/** Codes of OpenSSL's verification, and of Node.js. */
function isTlsError(code = ""): boolean {
  return /CERT|^ERR_(?:SSL|TLS)_|^EPROTO$|^UNABLE_TO_/.test(code);
}

function toMessage(text: string): string {
  const line = toPrintableLine(text.trim());
  return line.length <= maxMessageLength ? line : `${line.slice(0, maxMessageLength)}…`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
