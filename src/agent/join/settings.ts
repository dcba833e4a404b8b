/** What a node needs besides what the server says: from options, from a terminal, or from an existing agent.toml. */
import { checkPublicAddress } from "../../domain/address-ranges.ts";
import { formatEndpoint } from "../../domain/port.ts";
import { formatAddress, parseAddress } from "../../domain/prefix.ts";
import { toPrintableLine } from "../../system/printable-text.ts";
import type { Terminal } from "../../system/terminal.ts";
import { type AgentConfig, isRoaSource, parseListen } from "../config/agent-config.ts";
import { canonicalizeEndpoint, canonicalizeRange } from "../config/address-texts.ts";
import { SetupError } from "../setup/setup-arguments.ts";
import { print } from "../setup/setup-machine.ts";
import { type JoinFlags, usage } from "./join-arguments.ts";

/** The answers, by the option's name. */
export interface Answers {
  readonly listen: string;
  readonly ipv4: string;
  readonly ipv6: string;
  /** Empty: none. */
  readonly roa4: string;
  readonly roa6: string;
  /** The node's public addresses and hostnames, the one that participants enter first. */
  readonly endpoints: readonly string[];
  readonly agentUrl: string;
}

type Name = "listen" | "endpoint" | "agent-url" | "ipv4" | "ipv6" | "roa4" | "roa6";
type Values = Partial<Readonly<Record<Name, string>>>;
/** What agent.toml says. */
type ConfiguredName = Exclude<Name, "endpoint" | "agent-url">;

interface Question {
  readonly name: Name;
  readonly comment: string;
  readonly label: string;
  /** Returns the canonical value; null if it is wrong. */
  readonly parse: (text: string, allowDocumentation: boolean) => string | null;
  /** What a right value is, as the end of a sentence. */
  readonly expected: string;
  /** "": it may be left out. */
  readonly initial?: (values: Values, defaults: Values) => string | undefined;
  readonly isAsked?: (values: Values, allowDocumentation: boolean) => boolean;
}

const questions: readonly Question[] = [
  {
    name: "listen",
    comment: "Where the server connects to: an address of this machine and a port",
    label: "Address and port",
    parse: (text) => {
      const parsed = parseListen(text);
      return parsed && parsed.port !== 0 ? formatEndpoint(parsed.host, parsed.port) : null;
    },
    expected: 'an address and a port, like "192.0.2.1:4243" or "[2001:db8::1]:4243"',
    initial: (_, { listen }) => listen,
  },
  {
    name: "endpoint",
    comment: "The node's public address or hostname, which participants enter",
    label: "Public address",
    parse: parsePublicHost,
    expected: "a public address or a hostname",
    initial: (_, { endpoint }) => endpoint,
    isAsked: isBehindNat,
  },
  {
    name: "agent-url",
    comment: "Where the server reaches the agent. A NAT must forward the port to this machine",
    label: "URL of the agent",
    parse: parseAgentUrl,
    expected: 'a URL like "https://192.0.2.1:4243"',
    initial: ({ listen = "", endpoint = "" }) => {
      const port = parseListen(listen)?.port;
      return port === undefined ? undefined : `https://${formatEndpoint(endpoint, port)}`;
    },
    isAsked: isBehindNat,
  },
  {
    name: "ipv4",
    comment: "The node's own IPv4 address in the network, which is added to the loopback interface",
    label: "IPv4 address",
    parse: (text) => parseAddressOf(32, text),
    expected: "an IPv4 address",
    initial: (_, { ipv4 }) => ipv4,
  },
  {
    name: "ipv6",
    comment: "The same for IPv6",
    label: "IPv6 address",
    parse: (text) => parseAddressOf(128, text),
    expected: "an IPv6 address",
    initial: (_, { ipv6 }) => ipv6,
  },
  {
    name: "roa4",
    comment:
      "A list of ROAs in BIRD's syntax: a URL, or the path of a file. Without ROAs every route is rejected",
    label: "ROAs of IPv4",
    parse: parseRoaSource,
    expected: 'an "https://…" URL (http:// only on this machine), or the absolute path of a file',
    initial: () => "",
  },
  {
    name: "roa6",
    comment: "The same for IPv6",
    label: "ROAs of IPv6",
    parse: parseRoaSource,
    expected: 'an "https://…" URL (http:// only on this machine), or the absolute path of a file',
    initial: () => "",
  },
];

export interface Interview {
  readonly flags: JoinFlags;
  /** Null: nothing can be asked. */
  readonly terminal: Terminal | null;
  readonly allowDocumentation: boolean;
  /** Proposed on the terminal. */
  readonly defaults: Values;
  /** Values that are not asked, because an existing agent.toml has them. */
  readonly known: Values;
}

/** Completes the answers. Throws `SetupError` for wrong options and, without a terminal, for missing ones. */
export async function completeAnswers(interview: Interview): Promise<Answers> {
  const { flags, known, allowDocumentation } = interview;
  const values: Partial<Record<Name, string>> = { ...readFlags(flags, allowDocumentation), ...known };
  const missing: Name[] = [];
  for (const question of questions) {
    const { name, isAsked, initial } = question;
    if (values[name] !== undefined || isAsked?.(values, allowDocumentation) === false) continue;
    const proposed = initial?.(values, interview.defaults);
    if (interview.terminal !== null)
      values[name] = await ask(question, proposed, interview.terminal, allowDocumentation);
    // Other values of this machine are only proposals.
    else if (proposed !== undefined && (proposed === "" || name === "agent-url")) values[name] = proposed;
    else missing.push(name);
  }
  if (missing.length > 0) {
    const names = missing.map((name) => `--${name}`).join(", ");
    throw new SetupError(`Missing: ${names}. Nothing was changed.\n\n${usage.trimEnd()}`);
  }
  return toAnswers(values, flags.endpoint ?? [], allowDocumentation);
}

/** Checks the options. The first endpoint is that of the question. */
function readFlags(flags: JoinFlags, allowDocumentation: boolean): Values {
  const values: Record<string, string> = {};
  for (const { name, parse, expected } of questions) {
    for (const text of [flags[name] ?? []].flat()) {
      const value = parse(text, allowDocumentation);
      if (value === null) throw refuseFlag(name, text, expected);
      values[name] ??= value;
    }
  }
  const range = (flags["server-address"] ?? []).find((text) => canonicalizeRange(text) === null);
  if (range !== undefined) throw refuseFlag("server-address", range, "an address or prefix");
  return values;
}

function refuseFlag(name: string, text: string, expected: string): SetupError {
  return new SetupError(`--${name}: ${toPrintableLine(text)} is not ${expected}. Nothing was changed.`);
}

async function ask(
  { comment, label, parse, expected }: Question,
  proposed: string | undefined,
  terminal: Terminal,
  allowDocumentation: boolean,
): Promise<string> {
  print(`\n${comment}.`);
  const hint = proposed === undefined ? "" : ` [${proposed === "" ? "none" : proposed}]`;
  for (;;) {
    const typed = (await terminal.read(`${label}${hint}: `)).trim();
    if (typed === "" && proposed === "") return "";
    const text = typed === "" ? proposed : typed;
    // A paste may end with a blank line.
    if (text === undefined) continue;
    const value = parse(text, allowDocumentation);
    if (value !== null) return value;
    print(`${toPrintableLine(text)} is not ${expected}.`);
  }
}

function toAnswers(values: Values, endpointFlags: readonly string[], allowDocumentation: boolean): Answers {
  const { listen = "", ipv4 = "", ipv6 = "", roa4 = "", roa6 = "" } = values;
  const host = publicHostOf(listen, allowDocumentation);
  const others = endpointFlags.flatMap((text) => canonicalizeEndpoint(text) ?? []);
  const endpoints = new Set([host ?? values.endpoint ?? "", ...others]);
  return {
    listen,
    ipv4,
    ipv6,
    roa4,
    roa6,
    endpoints: [...endpoints],
    agentUrl: values["agent-url"] ?? `https://${listen}`,
  };
}

function isBehindNat({ listen }: Values, allowDocumentation: boolean): boolean {
  return listen !== undefined && publicHostOf(listen, allowDocumentation) === null;
}

/** The host of a listen address; null if participants and the server cannot reach it from outside. */
function publicHostOf(listen: string, allowDocumentation: boolean): string | null {
  const host = parseListen(listen)?.host ?? "";
  return parsePublicHost(host, allowDocumentation);
}

function parsePublicHost(text: string, allowDocumentation: boolean): string | null {
  const address = parseAddress(text);
  if (!address) return canonicalizeEndpoint(text);
  return checkPublicAddress(address, allowDocumentation) === null ? formatAddress(address) : null;
}

function parseAgentUrl(text: string): string | null {
  const url = URL.parse(text);
  const isBare = url?.pathname === "/" && url.search === "" && url.hash === "" && url.username === "";
  return url?.protocol === "https:" && isBare ? url.origin : null;
}

function parseAddressOf(bits: 32 | 128, text: string): string | null {
  const address = parseAddress(text);
  return address?.bits === bits ? formatAddress(address) : null;
}

function parseRoaSource(text: string): string | null {
  return isRoaSource(text) ? text : null;
}

/** What an existing agent.toml says already. */
export function valuesOf({ listen, linux }: AgentConfig): Readonly<Record<ConfiguredName, string>> {
  const textOf = (bits: number) => {
    const address = linux.addresses.find((one) => one.bits === bits);
    return address ? formatAddress(address) : "";
  };
  return {
    listen: formatEndpoint(listen.host, listen.port),
    ipv4: textOf(32),
    ipv6: textOf(128),
    roa4: linux.roa.ipv4 ?? "",
    roa6: linux.roa.ipv6 ?? "",
  };
}

/** Returns an option that an existing agent.toml contradicts; null if there is none. Throws `SetupError` for wrong options. */
export function findContradiction(
  flags: JoinFlags,
  config: AgentConfig,
  allowDocumentation: boolean,
): ConfiguredName | null {
  const [given, configured] = [readFlags(flags, allowDocumentation), valuesOf(config)];
  const names = Object.keys(configured) as ConfiguredName[];
  return names.find((name) => given[name] !== undefined && given[name] !== configured[name]) ?? null;
}

/** The first of the provider's endpoints in an existing agent.toml, which may be this node's. */
export function endpointOf({ rules }: AgentConfig, allowDocumentation: boolean): Values {
  const endpoint = rules.provider_endpoints.find(
    (text) => parsePublicHost(text, allowDocumentation) !== null,
  );
  return endpoint === undefined ? {} : { endpoint };
}
