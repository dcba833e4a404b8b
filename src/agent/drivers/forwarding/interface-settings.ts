/** The kernel's settings that decide whether it forwards packets. */
import type { Finding } from "#domain/findings/findings.ts";
import type { InterfaceSettings } from "../ask-routes.ts";
import { type ForwardingFault, maxNamed, ofNode, ofOperator } from "./forwarding-fault.ts";

export interface SettingsOptions {
  /** The AS numbers of participants' tunnels, by interface. */
  readonly participants: ReadonlyMap<string, string>;
  /** The provider's own interfaces, through which participants' packets pass. */
  readonly own: readonly string[];
  /** Whether the kernel forwards IPv6 of each interface whatever `forwarding` says (Linux 6.17). */
  readonly isIpv6Forced: boolean;
}

/**
 * IPv4 is forwarded if the interface where a packet arrives says so, IPv6 if `all` does: the setting of an interface for IPv6 is
 * about router advertisements. The reverse path filter is the greater one of `all` and the interface: 0 off, 1 strict, 2 loose.
 */
export function judgeSettings(
  settings: readonly InterfaceSettings[],
  options: SettingsOptions,
): readonly ForwardingFault[] {
  return [...findForwardingOff(settings, options), ...findStrictFilters(settings, options)];
}

function findForwardingOff(
  settings: readonly InterfaceSettings[],
  { participants, own, isIpv6Forced }: SettingsOptions,
): readonly ForwardingFault[] {
  const off = settings.filter(({ forwarding }) => !forwarding);
  const ipv4Off = new Set(off.flatMap(({ family, interface: name }) => (family === "inet" ? name : [])));
  const ofOwn = own.filter((name) => ipv4Off.has(name));
  const ofParticipants = Array.from(participants.keys()).filter((name) => ipv4Off.has(name));
  const isIpv6Off = !isIpv6Forced && off.some(isOfAll("inet6"));
  const isAllOff = ipv4Off.has("all");
  const hasTunnels = participants.size + own.length > 0;
  const isStopped = ofOwn.length > 0 || isIpv6Off || (isAllOff && !hasTunnels);
  const names = [
    ...(isAllOff && (isStopped || ofParticipants.length > 0) ? ["net.ipv4.ip_forward"] : []),
    ...(isIpv6Off ? ["net.ipv6.conf.all.forwarding"] : []),
    ...[...ofOwn, ...ofParticipants].map((name) => `net.ipv4.conf.${name}.forwarding`),
  ];
  if (names.length === 0) {
    // The tunnels forward all the same. Interfaces that are created later would not.
    const facts = { name: "net.ipv4.ip_forward", value: "0", expected: "1" };
    return isAllOff ? [ofOperator({ code: "kernel-setting", facts })] : [];
  }
  const finding: Finding = {
    code: "forwarding-off",
    facts: { settings: names.slice(0, maxNamed), count: names.length },
  };
  return [isStopped ? ofNode(finding) : { finding, concerns: asnsOf(ofParticipants, participants) }];
}

function findStrictFilters(
  settings: readonly InterfaceSettings[],
  { participants, own }: SettingsOptions,
): readonly ForwardingFault[] {
  const filters = new Map(
    settings.flatMap(({ family, interface: name, rp_filter: filter }) =>
      family === "inet" && filter !== undefined ? [[name, filter] as const] : [],
    ),
  );
  const isAllStrict = filters.get("all") === "strict";
  const isStrict = (name: string) =>
    filters.get(name) === "strict" || (isAllStrict && filters.get(name) === "off");
  const isAllLoose = filters.get("all") === "loose";
  const all = isAllLoose ? [] : [...own, ...participants.keys()].filter(isStrict);
  const names = isAllStrict && (all.length > 0 || participants.size + own.length === 0) ? ["all"] : all;
  if (names.length === 0) return [];
  const finding: Finding = {
    code: "path-filter",
    facts: { interfaces: names.slice(0, maxNamed), count: names.length },
  };
  // Only packets whose replies take another interface are dropped, which the node does not see.
  return [ofOperator(finding)];
}

const isOfAll =
  (family: string) =>
  (settings: InterfaceSettings): boolean =>
    settings.family === family && settings.interface === "all";

function asnsOf(names: readonly string[], participants: ReadonlyMap<string, string>): ReadonlySet<string> {
  return new Set(names.flatMap((name) => participants.get(name) ?? []));
}
