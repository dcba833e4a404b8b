import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { proofCalls } from "#contract/call-tables/accounts/proof-calls.ts";
import { CallError } from "#contract/client.ts";
import {
  maxPublicKeyLength,
  maxSignatureLength,
  readPastedPublicKey,
  readPastedSignature,
} from "#domain/proofs/pasted-signature.ts";
import type { ProofRefusal } from "#domain/proofs/proof-refusals.ts";
import { describeProofRefusal } from "#domain/proofs/refusal-texts.ts";
import { call } from "#web/api/client.ts";
import { classifyEmailLinkError } from "../email-link-error.ts";

type BoxName = "signature" | "public_key";

/** A text that a participant pastes, and what is wrong with it. */
export interface PastedBox {
  readonly value: string;
  /** Empty without an error. */
  readonly error: string;
  /** In characters. */
  readonly maxLength: number;
  /** Takes a text, unless it `isWithheld`: then the error says why. */
  readonly change: (text: string) => void;
  /** Whether a text is neither kept nor sent: a private key, or one that is too long. */
  readonly isWithheld: (text: string) => boolean;
}

interface Reader {
  readonly maxLength: number;
  readonly read: (text: string) => { readonly armour: string } | { readonly refusal: ProofRefusal };
}

const readers: Readonly<Record<BoxName, Reader>> = {
  signature: { maxLength: maxSignatureLength, read: readPastedSignature },
  public_key: { maxLength: maxPublicKeyLength, read: readPastedPublicKey },
};

/** Sentences that say what to do with a signature, for the box of the public key. */
const publicKeyTexts: Partial<Record<ProofRefusal["code"], string>> = {
  "private-key":
    "This contains a private key. It was not sent or saved. Paste the public key instead, and keep this one to yourself.",
  "too-long": "This is too long, so it was not sent. Paste only what the command above prints.",
};

function describe(box: BoxName, refusal: ProofRefusal): string {
  return (box === "public_key" && publicKeyTexts[refusal.code]) || describeProofRefusal(refusal);
}

export interface Proof {
  readonly signature: PastedBox;
  readonly publicKey: PastedBox;
  /** An error that belongs to neither box; empty without one. */
  readonly error: string;
  /** Whether the text to sign can no longer be used. */
  readonly isTextSpent: boolean;
  /** Also while the next page loads. */
  readonly isPending: boolean;
  /** Sends what was pasted if it can be a proof. Then the form of the new password is opened. */
  readonly prove: (challenge: string, needsPublicKey: boolean) => void;
  /** Forgets the signature of a text that was replaced. The public key stays. */
  readonly restart: () => void;
}

/** What a participant pastes is in memory only: it is in no draft, and gone with the page. */
export function useProof(): Proof {
  const [texts, setTexts] = useState({ signature: "", public_key: "" });
  const [errors, setErrors] = useState({ signature: "", public_key: "" });
  const request = useMutation({
    mutationFn: (body: { challenge: string; signature: string; public_key: string }) =>
      call(proofCalls.proveOwnership, body),
    onSuccess: ({ token, purpose }) => {
      // As the mailed link does. The first script of the page removes the token, and Back does not lead to a used text.
      window.location.replace(`/setPassword?${new URLSearchParams({ token, purpose }).toString()}`);
    },
  });
  const serverError = request.error instanceof CallError ? request.error : null;
  const refusedField = serverError?.status === 422 ? serverError.body.field : undefined;

  const createBox = (name: BoxName): PastedBox => {
    const { read, maxLength } = readers[name];
    const findWithheld = (text: string): ProofRefusal | null => {
      const result = read(text);
      if (!("refusal" in result)) return null;
      return ["private-key", "too-long"].includes(result.refusal.code) ? result.refusal : null;
    };
    return {
      value: texts[name],
      error: errors[name] || (refusedField === name ? (serverError?.body.message ?? "") : ""),
      maxLength,
      isWithheld: (text) => findWithheld(text) !== null,
      change: (text) => {
        const withheld = findWithheld(text);
        setErrors({ ...errors, [name]: withheld ? describe(name, withheld) : "" });
        if (withheld === null) setTexts({ ...texts, [name]: text });
        if (request.isError) request.reset();
      },
    };
  };

  const isTextSpent = refusedField === "challenge";
  const isAtBox = refusedField === "signature" || refusedField === "public_key";
  return {
    signature: createBox("signature"),
    publicKey: createBox("public_key"),
    error: request.error === null || isAtBox ? "" : classifyEmailLinkError(request.error).message,
    isTextSpent,
    isPending: request.isPending || request.isSuccess,
    prove: (challenge, needsPublicKey) => {
      const signature = readPastedSignature(texts.signature);
      const publicKey = readNeededKey(texts.public_key, needsPublicKey);
      setErrors({
        signature: "refusal" in signature ? describe("signature", signature.refusal) : "",
        public_key: "refusal" in publicKey ? describe("public_key", publicKey.refusal) : "",
      });
      if ("refusal" in signature || "refusal" in publicKey) return;
      // Without the text around it.
      request.mutate({ challenge, signature: signature.armour, public_key: publicKey.armour });
    },
    restart: () => {
      setTexts({ ...texts, signature: "" });
      setErrors({ signature: "", public_key: "" });
      request.reset();
    },
  };
}

function readNeededKey(text: string, isNeeded: boolean): ReturnType<Reader["read"]> {
  if (text !== "") return readPastedPublicKey(text);
  return isNeeded ? { refusal: { code: "public-key-needed", fingerprints: [] } } : { armour: "" };
}
