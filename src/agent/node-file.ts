/** Values of one node as JSON, in a file of the agent's state folder that survives a power cut. */
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import * as v from "valibot";
import { readDurableFile, replaceFile } from "../system/durable-file.ts";

export interface NodeFile<T> {
  /** Null if there is no file. Rejects if it cannot be read, or belongs to another node. */
  readonly load: () => Promise<T | null>;
  /** Resolves when the values would survive a power cut; after a rejection the file has the old or the new ones. */
  readonly save: (values: T) => Promise<void>;
}

export interface NodeFileOptions<T extends object> {
  readonly path: string;
  readonly node: string;
  readonly schema: v.GenericSchema<T>;
  /** What an operator can do if the file cannot be read: a sentence. */
  readonly advice: string;
}

const version = 1;
const header = v.object({ version: v.literal(version), node: v.string() });

export function createNodeFile<T extends object>(options: NodeFileOptions<T>): NodeFile<T> {
  const { path, node, schema, advice } = options;

  function parse<U>(expected: v.GenericSchema<U>, content: unknown): U {
    const result = v.safeParse(expected, content);
    if (result.success) return result.output;
    const [{ message }] = result.issues;
    throw new Error(`${path} is not a valid file of version ${version} (${message}). ${advice}`);
  }

  return {
    load: async () => {
      const text = await readDurableFile(path);
      if (text === null) return null;
      const content = parseJson(text);
      const { node: owner } = parse(header, content);
      if (owner !== node) throw new Error(`${path} belongs to node ${owner}, but this node is ${node}.`);
      return parse(schema, content);
    },
    save: async (values) => {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await replaceFile(path, JSON.stringify({ version, node, ...values }));
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
