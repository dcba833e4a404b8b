/**
 * A driver in its own process, so that it can run in a host's namespaces. Reads one JSON line per call, `{
 * id, call, args }`, and writes one per result.
 */
import { createInterface } from "node:readline";
import { createLinuxRouter, type LinuxRouterOptions } from "../../src/agent/drivers/linux/linux-router.ts";
import type { RoutedPeering } from "../../src/agent/drivers/router.ts";
import { createSetRecord } from "../../src/agent/fixtures/set-record.ts";
import type { Finding } from "../../src/domain/findings/findings.ts";
import { runProcess } from "../../src/system/processes.ts";
import { openUnloadedChanges, type SentOptions } from "./router-options.ts";
import { scaledClock as clock } from "./scaled-clock.ts";

export interface RouterCall {
  readonly id: number;
  readonly call: string;
  readonly args: readonly string[];
  readonly desired?: readonly RoutedPeering[];
}

const options = JSON.parse(process.argv[2] ?? "") as SentOptions;
const write = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`);
const writeLog = (detail: unknown, message: unknown) => {
  process.stderr.write(`${String(message)} ${JSON.stringify(detail)}\n`);
};
const log = { info: writeLog, warn: writeLog, error: writeLog } as unknown as LinuxRouterOptions["log"];
const router = await createLinuxRouter({
  ...options,
  unloadedChanges: openUnloadedChanges(options, log),
  run: runProcess,
  clock,
  log,
});

async function handleCall({ call, args, desired }: RouterCall): Promise<unknown> {
  const [asn = "", address = ""] = args;
  switch (call) {
    case "set": {
      const report = createSetRecord();
      await router.set(desired ?? [], report);
      return report.steps;
    }
    case "ping":
      return router.ping(asn, address, new AbortController().signal);
    case "roundTrip":
      return router.roundTrip(args[0] ?? "");
    case "facts":
    case "observe":
    case "health":
    case "links":
    case "inUse":
    case "findDrift":
      return router[call]();
    case "sessions":
    case "restartBgp":
    case "receivedRoutes":
    case "refusedRoutes":
      return router[call](asn);
    default:
      throw new Error(`no call ${call}`);
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line) as RouterCall;
  try {
    write({ id: request.id, value: await handleCall(request) });
  } catch (error) {
    const { name, message, cause, finding } = error as Error & { readonly finding?: Finding };
    write({ id: request.id, error: { name, message, cause: String(cause), finding } });
  }
}
// Not "await using": the bundler does not dispose of a module's values.
await router[Symbol.asyncDispose]();
