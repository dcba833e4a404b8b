/** A guide in docs, whose commands and files the tests take from the document, so that both stay the same. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { repository } from "../support/repository.ts";

export interface Guide {
  /** Returns the block of commands that contains a text, with the reader's values. */
  readonly command: (text: string) => string;
  /** Returns the block of configuration in a language, with the reader's values. */
  readonly file: (language: string) => string;
  /** The blocks that were not returned yet, as they are in the document. */
  readonly unused: () => readonly string[];
  /** The commands between the lines of text that are in no block. */
  readonly strayCommands: () => readonly string[];
}

interface Block {
  readonly language: string;
  readonly text: string;
}

/** Programs whose commands a reader of the guide enters. */
const programs =
  /^(?:apt-get|bird|birdc|debconf-set-selections|ip|journalctl|nft|nsenter|peerdeck-agent|rm|systemctl|wg) /;

/**
 * @param name the document's file in docs
 * @param values the values of the document that a reader replaces, with the replacements
 */
export async function openGuide(name: string, values: ReadonlyMap<string, string>): Promise<Guide> {
  const document = await readFile(join(repository, "docs", name), "utf8");
  const blocks = Array.from(
    document.matchAll(/^( *)```(\w*)\n([^]*?)^\1```$/gm),
    ([, indent = "", language = "", text = ""]): Block => ({
      language,
      text: text.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
    }),
  );
  for (const value of values.keys())
    if (!document.includes(value)) throw new Error(`The guide does not contain ${value}`);
  const used = new Set<Block>();

  function take(isWanted: (block: Block) => boolean, description: string): string {
    const [block, ...others] = blocks.filter(isWanted);
    if (!block || others.length > 0)
      throw new Error(`The guide has ${others.length + (block ? 1 : 0)} blocks ${description}, not one.`);
    used.add(block);
    return Array.from(values).reduce((text, [value, own]) => text.replaceAll(value, own), block.text);
  }

  return {
    command: (part) =>
      take(({ language, text }) => language === "sh" && text.includes(part), `with the command ${part}`),
    file: (wanted) => take(({ language }) => language === wanted, `of ${wanted}`),
    unused: () => blocks.filter((block) => !used.has(block)).map(({ text }) => text),
    strayCommands: () => {
      const commands = blocks.filter(({ language }) => language === "sh").map(({ text }) => text);
      const prose = document.replaceAll(/^ *```[^]*?^ *```$/gm, "");
      const spans = Array.from(prose.matchAll(/`([^`\n]+)`/g), ([, span = ""]) => span);
      return spans.filter((span) => programs.test(span) && !commands.some((text) => text.includes(span)));
    },
  };
}
