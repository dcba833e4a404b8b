/** Reads SSH signatures (PROTOCOL.sshsig and PROTOCOL.u2f of OpenSSH), strictly: what is not as `ssh-keygen` writes it is refused. */

export interface SshSignature {
  /** In SSH's wire format. */
  readonly publicKey: Buffer;
  readonly keyType: string;
  /** Null for other kinds of keys. */
  readonly rsaBits: number | null;
  readonly namespace: string;
  /** "sha512" */
  readonly hash: string;
  /** "rsa-sha2-512"; for other keys the type of the key. */
  readonly algorithm: string;
  /** Whether a security key saw its user; null for other kinds of keys. */
  readonly isUserPresent: boolean | null;
}

/** PROTOCOL.u2f: the bit of the authenticator's flags that says so. */
const userPresent = 1;

/** Returns null for what is no whole signature. */
export function readSshSignature(armour: string): SshSignature | null {
  const base64 = armour.replaceAll(/^-----.*$|\n/gm, "");
  const bytes = Buffer.from(base64, "base64");
  // Otherwise Node.js has skipped characters.
  if (bytes.toString("base64") !== base64) return null;
  try {
    return readFields(bytes);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function readFields(bytes: Buffer): SshSignature | null {
  const fields = createReader(bytes);
  const isMagic = fields.take(6).toString("latin1") === "SSHSIG" && fields.takeNumber() === 1;
  const publicKey = fields.takeString();
  const namespace = fields.takeText();
  const isReservedEmpty = fields.takeString().length === 0;
  const hash = fields.takeText();
  const signature = createReader(fields.takeString());
  fields.end();

  const key = createReader(publicKey);
  const keyType = key.takeText();
  const algorithm = signature.takeText();
  signature.takeString();
  const isSecurityKey = algorithm.startsWith("sk-");
  const isUserPresent = isSecurityKey ? (signature.take(1).readUInt8() & userPresent) !== 0 : null;
  if (isSecurityKey) signature.takeNumber();
  signature.end();
  const rsaBits = keyType === "ssh-rsa" ? readRsaBits(key) : null;
  return isMagic && isReservedEmpty
    ? { publicKey, keyType, rsaBits, namespace, hash, algorithm, isUserPresent }
    : null;
}

function readRsaBits(key: Reader): number {
  key.takeString();
  const modulus = key.takeString();
  const first = modulus.findIndex((byte) => byte !== 0);
  return first === -1 ? 0 : (modulus.length - first) * 8 - (Math.clz32(modulus[first] ?? 0) - 24);
}

interface Reader {
  take(length: number): Buffer;
  takeNumber(): number;
  /** Bytes with their length before them. */
  takeString(): Buffer;
  takeText(): string;
  /** Throws if bytes are left. */
  end(): void;
}

/** Throws `RangeError` where the bytes are too few, or too many at the end. */
function createReader(bytes: Buffer): Reader {
  let position = 0;
  const take = (length: number) => {
    if (length > bytes.length - position) throw new RangeError("too short");
    position += length;
    return bytes.subarray(position - length, position);
  };
  const takeNumber = () => take(4).readUInt32BE();
  const takeString = () => take(takeNumber());
  return {
    take,
    takeNumber,
    takeString,
    takeText: () => takeString().toString("utf8"),
    end: () => {
      if (position < bytes.length) throw new RangeError("too long");
    },
  };
}
