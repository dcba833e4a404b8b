/**
 * Reads what a compressed tar archive announces, before anything of it is written: a sparse file of a terabyte takes a
 * few bytes, and compressed zeros a thousandth of their size.
 */
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { TarError } from "./tar.ts";

export interface TarEntry {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  readonly isPlainFile: boolean;
}

const blockBytes = 512;
const endBlocks = 2;
/** A backup has four names. */
const maxEntries = 16;
/** Attributes of the next entry, such as a time of a fraction of a second. */
const maxAttributeBytes = 64 * 1024;
/** `tar` fills up the last record. */
const maxPaddingBytes = 1024 * 1024;
/** Attributes (PAX) that give the next entry another size, name or kind. */
const changingAttribute = /^\d+ (?:size|path|linkpath|GNU\.)/m;
/** Links and folders, which have no content. */
const emptyTypes = "12345";

/**
 * Passes each entry on as soon as its header was read; reading ends if `check` throws.
 *
 * @throws {TarError} if it is damaged, or has other kinds of entries
 */
export async function checkTarEntries(archive: string, check: (entry: TarEntry) => void): Promise<void> {
  const reader = createEntryReader(check);
  try {
    await pipeline(createReadStream(archive), createGunzip(), async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) reader.push(chunk);
    });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw code?.startsWith("Z_") ? new TarError(`gzip: ${message}`, { cause: error }) : error;
  }
}

function createEntryReader(check: (entry: TarEntry) => void) {
  let header = Buffer.alloc(0);
  let attributes: Buffer[] | null = null;
  /** Content and padding that are still to come. */
  let left = 0;
  let entries = 0;
  let emptyBlocks = 0;
  let padding = 0;

  function readHeader(block: Buffer): void {
    if (block.every((byte) => byte === 0)) {
      emptyBlocks += 1;
      return;
    }
    const { name, size, type } = parseHeader(block);
    entries += 1;
    if (entries > maxEntries) throw new TarError("it has too many entries");
    left = Math.ceil(size / blockBytes) * blockBytes;
    if (type === "x") {
      if (size > maxAttributeBytes) throw new TarError(`the attributes of an entry are too large`);
      attributes = [];
      return;
    }
    const isPlainFile = type === "0" || type === "\0";
    if (!isPlainFile && (!emptyTypes.includes(type) || size > 0)) throw notPlain(name);
    check({ name, size, isPlainFile });
  }

  function takeContent(content: Buffer): void {
    left -= content.length;
    if (attributes === null) return;
    attributes.push(content);
    if (left > 0) return;
    if (changingAttribute.test(Buffer.concat(attributes).toString("latin1"))) throw notPlain("content");
    attributes = null;
  }

  return {
    push: (chunk: Buffer): void => {
      for (let from = 0; from < chunk.length;) {
        if (emptyBlocks >= endBlocks) {
          padding += chunk.length - from;
          if (padding > maxPaddingBytes) throw new TarError("it continues after its end");
          return;
        }
        const part = chunk.subarray(from, from + (left > 0 ? left : blockBytes - header.length));
        from += part.length;
        if (left > 0) takeContent(part);
        else header = Buffer.concat([header, part]);
        if (header.length < blockBytes) continue;
        const block = header;
        header = Buffer.alloc(0);
        readHeader(block);
      }
    },
  };
}

function notPlain(name: string): TarError {
  return new TarError(`its ${name} is not a plain file`);
}

function parseHeader(block: Buffer): { readonly name: string; readonly size: number; readonly type: string } {
  const textAt = (start: number, length: number) => {
    const [text = ""] = block.toString("latin1", start, start + length).split("\0", 1);
    return text;
  };
  const checksum = Number.parseInt(textAt(148, 8).trim(), 8);
  const blank = Buffer.from(block).fill(" ", 148, 156);
  if (blank.reduce((sum, byte) => sum + byte, 0) !== checksum) throw new TarError("a header is damaged");
  // From 8 GiB on, the size is a binary number behind a set bit.
  const isBinary = ((block[124] ?? 0) & 0x80) !== 0;
  const size = isBinary
    ? Number(block.readBigUInt64BE(128))
    : Number.parseInt(textAt(124, 12).trim() || "0", 8);
  if (!Number.isSafeInteger(size)) throw new TarError("a header is damaged");
  return { name: textAt(0, 100), size, type: block.toString("latin1", 156, 157) };
}
