/** Reads commands and exports of RouterOS 7. */
import { normaliseKey, type Section } from "./tunnel-text.ts";

/** `[admin@router] >` before a copied command. */
const prompt = /^\[[^\]]{1,80}\] [^>]{0,40}> /;
const verb = /^(?:add|set|print|export|remove|enable|disable|get|find)$/;
const wrapped = /^[a-z-]{1,40}=/;
const assignment = /([a-z0-9.-]{1,40})=(?:"((?:[^"\\]|\\.)*)"|([^\s"]*))/gi;

export function isRouterOs(text: string): boolean {
  return /\/interface[ /]wireguard/.test(text);
}

export function readRouterOs(lines: readonly string[]): readonly Section[] {
  const sections: Section[] = [];
  let path = "";
  for (const line of joinLines(lines)) {
    const text = line.trim().replace(prompt, "");
    if (text.startsWith("/")) path = readPath(text);
    // `print` numbers its items, and wraps them.
    if (/(?:^|[\s/])add /.test(text) || /^\d+ /.test(text))
      sections.push(...readItem(path, readEntries(text)));
    else if (wrapped.test(text)) sections.at(-1)?.entries.push(...readEntries(text));
  }
  return sections;
}

/** A backslash at the end continues the line, also inside a value. */
function joinLines(lines: readonly string[]): readonly string[] {
  const joined: string[] = [];
  let parts: string[] = [];
  for (const line of lines) {
    const text = parts.length > 0 ? line.trimStart() : line;
    const isContinued = text.endsWith("\\");
    parts.push(isContinued ? text.slice(0, -1) : text);
    if (isContinued) continue;
    joined.push(parts.join(""));
    parts = [];
  }
  return parts.length > 0 ? [...joined, parts.join("")] : joined;
}

/** `interface wireguard peers` of `/interface wireguard peers add …` and of `/interface/wireguard/peers/add …`. */
function readPath(text: string): string {
  const words = text.slice(1, 120).split(/[\s/]+/);
  const end = words.findIndex((word) => word === "" || verb.test(word) || word.includes("="));
  return (end === -1 ? words : words.slice(0, end)).join(" ");
}

function readEntries(text: string): Section["entries"] {
  return Array.from(text.matchAll(assignment), ([, key = "", quoted, plain = ""]) => [
    normaliseKey(key),
    quoted === undefined ? plain : quoted.replaceAll(/\\(.)/g, "$1"),
  ]);
}

function readItem(path: string, entries: Section["entries"]): readonly Section[] {
  const find = (wanted: string) => entries.find(([key]) => key === wanted)?.[1] ?? "";
  switch (path) {
    case "interface wireguard":
      return [{ tunnel: find("name"), kind: "interface", entries }];
    case "interface wireguard peers":
      return [{ tunnel: find("interface"), kind: "peer", entries }];
    case "ip address":
    case "ipv6 address": {
      const addresses = entries.filter(([key]) => key === "address");
      return [{ tunnel: find("interface"), kind: "interface", entries: addresses }];
    }
    default:
      return [];
  }
}
