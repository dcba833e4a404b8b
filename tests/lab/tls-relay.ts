/**
 * Terminates TLS with a certificate of its own and passes on what it receives, as a proxy before an agent would.
 *
 * Arguments: the PEM file with key and certificate, the port, and the agent's `host:port`. Prints "listening".
 */
import { readFile } from "node:fs/promises";
import { connect, createServer } from "node:tls";

const [file = "", port = "", agent = ""] = process.argv.slice(2);
const pem = await readFile(file, "utf8");
const [host = "", agentPort = ""] = agent.split(":");
createServer({ key: pem, cert: pem }, (incoming) => {
  const outgoing = connect({ host, port: Number(agentPort), rejectUnauthorized: false });
  for (const [from, to] of [
    [incoming, outgoing],
    [outgoing, incoming],
  ] as const)
    from.on("error", () => to.destroy()).pipe(to);
}).listen(Number(port), () => process.stdout.write("listening\n"));
