import { expect, test } from "vitest";
import { isAlteredAddress } from "./altered-address.ts";

test.each([
  "ada@NOSPAM.example.org",
  "ada@nospam.example.org",
  "ada@no-spam.example.org",
  "ada@no.spam.example.org",
  "ada@example.org.nospam",
  "ada@example.NOSPAM.org",
  "ada@nospam-example.org",
  "ada@exampleNOSPAM.org",
  "ada@spamfree.example.org",
  "ada@spam-free.example.org",
  "adaspammenot@example.org",
  "ada-spam-me-not@example.org",
  "ada@remove.example.org",
  "ada@REMOVETHIS.example.org",
  "ada@remove-this.example.org",
  "ada@removeme.example.org",
  "ada@deletethis.example.org",
  "ada@strip-this.example.org",
  "ada@delete.example.org",
  "ada@removed.example.org",
  "ada@REMOVEexample.org",
  "ada@example.invalid",
  "ada@example.org.invalid",
  "ada@invalid.example.org",
  "ada.nospam@example.org",
  "nospam-ada@example.org",
  "adaNOSPAM@example.org",
  "adaREMOVEexample@example.org",
  "adaREMOVED@example.org",
  "adaDELETE@example.org",
  "adaINVALID@example.org",
  "adaJUNK@example.org",
  "ada+invalid@example.org",
  "ada_dot_example@example.org",
  "ada@dontspam.example.org",
  "ada@not-for-spam.example.org",
  "ada@notforspam.example.org",
  "ada@SPAM.example.org",
])("%s is altered", (address) => {
  expect(isAlteredAddress(address)).toBe(true);
});

test.each([
  "ada@volvo.example.org",
  "remover@example.org",
  "atlas@dot.example.org",
  "ada@at.example.org",
  "valid@example.org",
  "ADA@EXAMPLE.ORG",
  "spam@example.org",
  "SPAM@EXAMPLE.ORG",
  "ada@stripe.example.org",
])("%s is not altered", (address) => {
  expect(isAlteredAddress(address)).toBe(false);
});
