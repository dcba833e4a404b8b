import { createServer } from "node:net";
import { once } from "node:events";
import { formatEndpoint } from "#domain/port.ts";
import type { Environment } from "#server/config/environment.ts";
import { readVersion } from "#server/config/version.ts";
import { describeStartError } from "#server/start-error.ts";
import { finding, type Finding } from "../sentences/sentences.ts";
import { requestArrival } from "../arrival-request.ts";
import { callLimitMs, type Check, type RunningServer } from "../doctor-context.ts";

interface Listener {
  readonly host: string;
  readonly port: number;
}

/** The server's ports, and whether it runs. */
export const checkServer: Check = {
  name: "the server's ports",
  run: async ({ environment, findServer, readDatabaseIdentity }) => {
    const server = await findServer();
    const hasRun = (await readDatabaseIdentity()) !== null;
    return [await checkPort(environment, server, hasRun), ...(await checkMetrics(environment, server))];
  },
};

/** @param identity of the database */
export async function findRunningServer(
  environment: Environment,
  identity: string | null,
): Promise<RunningServer> {
  if (environment.port === 0) return { kind: "unknown", version: null };
  if ((await tryToListen(environment)) === null) return { kind: "none", version: null };
  if (identity === null) return { kind: "other", version: null };
  const arrival = await requestArrival(urlOf(environment), identity).then(
    (result) => result.arrival,
    () => null,
  );
  return arrival ? { kind: "own", version: arrival.version } : { kind: "other", version: null };
}

/** @param hasRun whether a server has started before: then it should run */
async function checkPort(
  environment: Environment,
  { kind, version }: RunningServer,
  hasRun: boolean,
): Promise<Finding> {
  const url = urlOf(environment);
  if (kind === "unknown") return finding("server-any-port");
  if (kind === "none") return finding(hasRun ? "server-stopped" : "server-not-started", { url });
  if (kind === "other") return describeTaken(environment, environment, "PORT");
  const installed = readVersion();
  return version === null || version === installed
    ? finding("server-running", { url, version: installed })
    : finding("server-other-version", { running: version, installed });
}

async function checkMetrics(environment: Environment, { kind }: RunningServer): Promise<readonly Finding[]> {
  const { metrics } = environment;
  if (metrics === null || metrics.port === 0) return [];
  const url = `${urlOf(metrics)}/metrics`;
  if ((await tryToListen(metrics)) === null)
    return [kind === "own" ? finding("metrics-silent", { url }) : finding("metrics-free", { url })];
  const text = await fetch(url, { signal: AbortSignal.timeout(callLimitMs) }).then(
    (response) => response.text(),
    () => "",
  );
  const isOwn = kind === "own" && text.includes("peerdeck_registry_stale");
  return [isOwn ? finding("metrics-ok", { url }) : await describeTaken(environment, metrics, "METRICS_PORT")];
}

/** A port in use, or another reason why a server cannot listen. */
async function describeTaken(
  environment: Environment,
  listener: Listener,
  setting: string,
): Promise<Finding> {
  const error = await tryToListen(listener);
  const text = error !== null && error.code !== "EADDRINUSE" ? describeStartError(error, environment) : null;
  return text === null
    ? finding("port-taken", { setting, ...pick(listener) })
    : finding("port-problem", { text });
}

function pick({ host, port }: Listener): Listener {
  return { host, port };
}

/** Returns why a server cannot listen there; null if it can. */
async function tryToListen({ host, port }: Listener): Promise<NodeJS.ErrnoException | null> {
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, "listening");
    server.close();
    await once(server, "close");
    return null;
  } catch (error) {
    return error as NodeJS.ErrnoException;
  }
}

/** The URL for a client on this machine. */
function urlOf({ host, port }: Listener): string {
  const reachable = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${formatEndpoint(reachable, port)}`;
}
