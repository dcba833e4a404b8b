/** What the kernel would do with packets: `ip route get` for all of them, and the settings of all interfaces, in one process. */
import { ProcessError, type Run } from "#system/processes.ts";

export interface RouteQuestion {
  readonly to: string;
  readonly from?: string;
  /** The interface where the packet arrives; without one, the node sends it. */
  readonly iif?: string;
  /** The interface through which it must leave, where an address is not unique: a link-local one. */
  readonly oif?: string;
}

export type RouteAnswer =
  | { readonly kind: "local" }
  /** `source`: the address that the kernel chooses for a packet of the node without one. */
  | { readonly kind: "forwarded"; readonly dev: string; readonly source: string | undefined }
  | { readonly kind: "refused"; readonly output: string }
  /** An interface of the question does not exist, or the answer cannot be read. */
  | { readonly kind: "unknown" };

export interface InterfaceSettings {
  readonly family: string;
  readonly interface: string;
  readonly forwarding: boolean;
  /** Of IPv4. */
  readonly rp_filter?: string;
}

export interface KernelAnswers {
  /** One for each question, in their order. */
  readonly routes: readonly RouteAnswer[];
  readonly settings: readonly InterfaceSettings[];
}

/** A thousand questions take a fraction of this. */
const timeoutMs = 5_000;

/** What `ip` printed for one line of its input. */
type Printed = { readonly line: string } | { readonly error: string };

/** Returns an answer for each question, in their order. */
export async function askRoutes(
  run: Run,
  questions: readonly RouteQuestion[],
): Promise<readonly RouteAnswer[]> {
  return (await askAll(run, questions.map(renderQuestion))).map(toAnswer);
}

/** Rejects with `ProcessError` if the settings cannot be read. */
export async function askKernel(run: Run, questions: readonly RouteQuestion[]): Promise<KernelAnswers> {
  const printed = await askAll(run, [...questions.map(renderQuestion), "netconf show"]);
  const settings = printed.at(-1);
  if (!settings || "error" in settings)
    throw new ProcessError(`ip answered 0 of 1 questions about settings: ${settings?.error}`);
  return {
    routes: printed.slice(0, -1).map(toAnswer),
    settings: JSON.parse(settings.line) as readonly InterfaceSettings[],
  };
}

async function askAll(run: Run, commands: readonly string[]): Promise<readonly Printed[]> {
  const input = `${commands.join("\n")}\n`;
  // With -force, a question without a route does not end the process.
  const { stdout, stderr, isTruncated } = await run("ip", ["-json", "-force", "-batch", "-"], {
    input,
    timeoutMs,
  });
  const errors = parseErrors(stderr);
  const lines = stdout.split("\n").filter((line) => line.trim() !== "");
  const expected = commands.length - errors.size;
  if (isTruncated || lines.length !== expected)
    throw new ProcessError(`ip answered ${lines.length} of ${expected} questions: ${stderr.trim()}`);
  let next = 0;
  return commands.map((_, index) => {
    const error = errors.get(index + 1);
    if (error !== undefined) return { error };
    next += 1;
    return { line: lines[next - 1] ?? "" };
  });
}

function toAnswer(printed: Printed): RouteAnswer {
  return "error" in printed ? parseRefusal(printed.error) : parseRoute(printed.line);
}

function renderQuestion({ to, from, iif, oif }: RouteQuestion): string {
  const options = [
    ["from", from],
    ["iif", iif],
    ["oif", oif],
  ].flatMap(([name, value]) => (value === undefined ? [] : [name, value]));
  return ["route get", to, ...options].join(" ");
}

/** Parses the errors by line of the batch: each is followed by `Command failed -:LINE`. */
function parseErrors(stderr: string): ReadonlyMap<number, string> {
  const errors = new Map<number, string>();
  let before: string[] = [];
  for (const line of stderr.split("\n")) {
    const [, number] = /^Command failed -:(\d+)$/.exec(line) ?? [];
    if (number === undefined) before.push(line);
    else {
      errors.set(Number(number), before.join(" ").trim());
      before = [];
    }
  }
  return errors;
}

/** Only what the kernel said about the route counts. */
function parseRefusal(error: string): RouteAnswer {
  const [, output] = /^RTNETLINK answers: (.+)$/.exec(error) ?? [];
  return output === undefined || /not permitted|not supported|No such device/.test(output)
    ? { kind: "unknown" }
    : { kind: "refused", output };
}

const refusingTypes = new Set(["unreachable", "blackhole", "prohibit"]);

function parseRoute(line: string): RouteAnswer {
  const [route] = JSON.parse(line) as ReadonlyArray<{
    readonly type?: string;
    readonly dev?: string;
    readonly prefsrc?: string;
  }>;
  const type = route?.type ?? "unicast";
  if (type === "local") return { kind: "local" };
  if (refusingTypes.has(type)) return { kind: "refused", output: type };
  return type === "unicast" && route?.dev !== undefined
    ? { kind: "forwarded", dev: route.dev, source: route.prefsrc }
    : { kind: "unknown" };
}
