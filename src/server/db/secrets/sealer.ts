/**
 * Seals single values of the database with AES-256-GCM. The authenticated data is the value's place, so a sealed value
 * cannot be moved to another row or column.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { SecretKeyError } from "./secret-keys.ts";

export interface Sealer {
  /** @param place the table, the column and the row, such as "outbox.body 17" */
  seal(text: string, place: string): string;
  /**
   * Opens a sealed value.
   *
   * @throws {SecretKeyError} if the value is not sealed, or no key opens it in this place
   */
  open(value: string, place: string): string;
  /** Whether a value is sealed with the first key. */
  isCurrent(value: string): boolean;
  /** Whether one of the keys opens the value, by the ID that it names. */
  canOpen(value: string): boolean;
}

const cipher = "aes-256-gcm";
const ivBytes = 12;
const tagBytes = 16;
const idBytes = 8;
/** The ID of the key, then the initialization vector, the tag and the ciphertext. */
const sealedShape = /^sealed:([0-9a-f]{16}):([A-Za-z0-9_-]+)$/;

/** Returns the ID of the key that a value is sealed with; null if it is not sealed. */
export function readKeyId(value: string): string | null {
  return sealedShape.exec(value)?.[1] ?? null;
}

/** @param keys of 32 bytes; the first one seals. There must be one. */
export function createSealer(keys: readonly Buffer[]): Sealer {
  const derived = keys.map((key) => ({
    id: derive(key, "id", idBytes).toString("hex"),
    key: derive(key, "values", 32),
  }));
  const [current] = derived;
  if (!current) throw new SecretKeyError("There is no secret key.");

  return {
    seal(text, place) {
      const iv = randomBytes(ivBytes);
      const sealing = createCipheriv(cipher, current.key, iv).setAAD(Buffer.from(place));
      const sealed = Buffer.concat([sealing.update(text, "utf8"), sealing.final()]);
      return `sealed:${current.id}:${Buffer.concat([iv, sealing.getAuthTag(), sealed]).toString("base64url")}`;
    },
    open(value, place) {
      const [, id, content = ""] = sealedShape.exec(value) ?? [];
      if (id === undefined) throw new SecretKeyError(`The value of ${place} is not sealed.`);
      const key = derived.find((one) => one.id === id)?.key;
      if (!key) throw new SecretKeyError(`No key opens ${place}: it is sealed with the key ${id}.`);
      const bytes = Buffer.from(content, "base64url");
      try {
        const opening = createDecipheriv(cipher, key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes })
          .setAAD(Buffer.from(place))
          .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
        return Buffer.concat([
          opening.update(bytes.subarray(ivBytes + tagBytes)),
          opening.final(),
        ]).toString();
      } catch (error) {
        throw new SecretKeyError(`The sealed value of ${place} was changed, or belongs to another place.`, {
          cause: error,
        });
      }
    },
    isCurrent: (value) => readKeyId(value) === current.id,
    canOpen: (value) => derived.some(({ id }) => id === readKeyId(value)),
  };
}

function derive(key: Buffer, purpose: string, length: number): Buffer {
  return Buffer.from(hkdfSync("sha256", key, "", `peerdeck sealed ${purpose}`, length));
}
