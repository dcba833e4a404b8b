/** The browser's side of web push: the keys of a subscription and the decryption of messages. */
import { createDecipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";

export type BrowserSubscription = Browser["subscription"];

/** Creates a subscription as a browser sends it, without its private key. */
export function browserSubscription(
  endpoint = `https://fcm.googleapis.com/fcm/send/${randomBytes(12).toString("base64url")}`,
): BrowserSubscription {
  return createBrowser(endpoint).subscription;
}

export type Browser = ReturnType<typeof createBrowser>;

export function createBrowser(endpoint: string) {
  const ecdh = createECDH("prime256v1");
  const publicKey = ecdh.generateKeys();
  const auth = randomBytes(16);
  return {
    subscription: {
      endpoint,
      p256dh: publicKey.toString("base64url"),
      auth: auth.toString("base64url"),
    },
    /** Returns the text of a message in the `aes128gcm` encoding (RFC 8291, RFC 8188, one record). */
    decrypt(body: Buffer): string {
      const salt = body.subarray(0, 16);
      const keyLength = body.readUInt8(20);
      const senderKey = body.subarray(21, 21 + keyLength);
      const record = body.subarray(21 + keyLength);
      const keyInfo = Buffer.concat([Buffer.from("WebPush: info\0"), publicKey, senderKey]);
      const input = derive(ecdh.computeSecret(senderKey), auth, keyInfo, 32);
      const key = derive(input, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
      const nonce = derive(input, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
      const decipher = createDecipheriv("aes-128-gcm", key, nonce);
      decipher.setAuthTag(record.subarray(-16));
      const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
      return padded.subarray(0, padded.lastIndexOf(2)).toString();
    },
  };
}

function derive(key: Buffer, salt: Buffer, info: Buffer, length: number): Buffer {
  return Buffer.from(hkdfSync("sha256", key, salt, info, length));
}
