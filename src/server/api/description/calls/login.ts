import { describeCalls } from "../call-description.ts";
import { username } from "./examples.ts";

const asn = username;
const newPassword = "correct horse battery staple";
const proofErrors = { 503: "The registry is missing or outdated" } as const;

export const loginDescriptions = describeCalls("Login", {
  login: {
    summary: "Log in with AS number and password",
    description:
      "The response sets the cookie of the login session, which later requests send back. Ten failures in five minutes " +
      "refuse further attempts of unknown clients.",
    limits: { loginPerAs: "logins of an AS" },
    errors: { 401: "Invalid credentials", 429: "Too many attempts" },
    request: { username, password: newPassword },
  },
  authStatus: {
    summary: "The logged-in AS, if any",
    description: "`isAuthenticated` is false and `username` empty without a login session.",
    response: { isAuthenticated: true, username },
  },
  logout: {
    summary: "End the login session, if there is one",
    description: "Deletes the cookie.",
  },
  sendEmailVerification: {
    summary: "Mail a link that sets a password to the addresses in the registry",
    description: 'With `password_reset: "Yes"` for an AS that has an account, without it to register one.',
    limits: { mailPerAsAndClient: "mails for an AS" },
    errors: {
      403: "The AS has another holder since the account was verified",
      404: "AS number cannot be found",
      409: "User already exists",
      422: "Not an AS number, or no usable address in the registry",
      429: "Too many requests",
      503: "The registry copy is missing or too old, or the registry cannot be reached for a reset",
    },
    request: { asn },
  },
  setPassword: {
    summary: "Set the password with a token from a mail or a proof",
    description: "Ends all login sessions of the AS. The token is valid once.",
    limits: { setPasswordPerClient: "attempts of a client" },
    errors: {
      400: "Invalid or expired token",
      422: "The password is not accepted",
      429: "Too many attempts",
    },
    request: { token: "bGV0IG1lIGluLCBwbGVhc2UhIQ", password: newPassword },
  },
  requestProof: {
    summary: "Get a text to sign, and the keys of the registry that prove that an AS is the caller's",
    description:
      "Sign `challenge.text` with one of `keys`, and send the signature to `proveOwnership` with the cookie that the response sets.",
    limits: { challengePerClient: "requests of a client" },
    errors: {
      ...proofErrors,
      404: "The AS is not in the registry",
      422: "Not an AS number",
      429: "Too many requests",
    },
    request: { asn },
  },
  proveOwnership: {
    summary: "Send a signature of the text; the response has a token that sets the password",
    description:
      "Takes an armoured SSH or PGP signature. A wrong signature can be corrected; the text can be used until it has succeeded.",
    limits: { proofPerClient: "proofs of a client" },
    errors: {
      ...proofErrors,
      403: "The AS is blocked, or has another holder",
      404: "A reset, and the AS has no account",
      409: "A registration, and the AS has an account",
      422: "The signature is refused, or its text was used or has expired",
      429: "Too many proofs",
    },
    request: {
      challenge: "6b1f0c7d0e4a4b0f9a4f0d6c2b7e8a91",
      signature: "-----BEGIN SSH SIGNATURE-----\n…\n-----END SSH SIGNATURE-----",
    },
  },
  startKioubit: {
    summary: "Start a proof or a login with Kioubit's authentication service",
    description:
      "For the app: `url` leads the browser to the service, which leads it back to the app. A script cannot use it.",
    limits: { challengePerClient: "requests of a client" },
    errors: {
      404: "The server does not use it",
      422: "Not an AS number",
      429: "Too many requests",
    },
    request: { purpose: "registration", asn },
  },
});
