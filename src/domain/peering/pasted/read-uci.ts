/** Reads OpenWrt's /etc/config/network, `uci show network`, and commands with `uci set`. */
import { normaliseKey, type Section } from "./tunnel-text.ts";

const sectionLine = /^config\s+["']?([\w-]{1,40})["']?(?:\s+["']?([\w-]{1,40})["']?)?$/;
const optionLine = /^(?:option|list)\s+["']?(\w{1,40})["']?\s+(.*)$/;
const addLine = /^uci\s+(?:-q\s+)?add\s+network\s+([\w-]{1,40})/;
const setLine = /^(?:uci\s+(?:-q\s+)?(?:set|add_list)\s+)?network\.([^.=\s]{1,60})(?:\.(\w{1,40}))?=(.*)$/;

export function isUci(text: string): boolean {
  return /^[ \t]*(?:config[ \t]+["']?(?:interface|wireguard_)|(?:uci[ \t].{0,20})?network\.)/m.test(text);
}

export function readUci(lines: readonly string[]): readonly Section[] {
  const sections = new Map<string, Section>();
  let current: Section | null = null;
  let added = 0;

  const open = (name: string, type: string): Section | null => {
    const section = createSection(name, type);
    if (section !== null) sections.set(name, section);
    return section;
  };
  /** The section that `uci add` created last is `@type[-1]`. */
  const findSection = (reference: string): Section | null => {
    const anonymous = /^@([\w-]{1,40})\[(-?\d{1,3})\]$/.exec(reference);
    const name = anonymous?.[2] === "-1" ? `${anonymous[1]} ${added}` : reference;
    return sections.get(name) ?? (anonymous ? open(name, anonymous[1] ?? "") : null);
  };

  for (const line of lines) {
    const text = line.trim();
    const [, type, name] = sectionLine.exec(text) ?? [];
    const [, key, value = ""] = optionLine.exec(text) ?? [];
    const [, reference, setKey, setValue = ""] = setLine.exec(text) ?? [];
    if (type !== undefined) current = open(name ?? `${type} ${sections.size}`, type);
    else if (key !== undefined) addEntry(current, key, value);
    else if (addLine.test(text)) added += 1;
    else if (reference !== undefined && setKey === undefined) open(reference, unquote(setValue));
    else if (reference !== undefined && setKey !== undefined)
      addEntry(findSection(reference), setKey, setValue);
  }
  return [...sections.values()];
}

/** A peer's type is `wireguard_` and the name of the interface. */
function createSection(name: string, type: string): Section | null {
  const tunnel = /^wireguard_(.+)$/.exec(type)?.[1];
  if (tunnel !== undefined) return { tunnel, kind: "peer", entries: [] };
  return type === "interface" ? { tunnel: name, kind: "interface", entries: [] } : null;
}

/** `uci show` prints a list as `'first' 'second'`. */
function addEntry(section: Section | null, key: string, value: string): void {
  for (const each of value.split(/["']\s+["']/)) section?.entries.push([normaliseKey(key), unquote(each)]);
}

function unquote(text: string): string {
  return text.trim().replaceAll(/["']/g, "");
}
