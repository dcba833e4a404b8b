import { expect, test } from "vitest";
import { isAlteredAddress } from "./altered-address.ts";

test.each([
  ["nospam", "ada@NOSPAM.example.org", "ada@nospam.example.org", "ada@nospam-example.org"],
  ["nospam", "ada@exampleNOSPAM.org"],
  ["nospam at an end", "ada@example.org.nospam", "ada.nospam@example.org", "nospam-ada@example.org"],
  ["nospam within", "ada@example.NOSPAM.org", "adaNOSPAM@example.org", "ada@no-spam.example.org"],
  ["no.spam", "ada@no.spam.example.org", "ada@dontspam.example.org", "ada@not-for-spam.example.org"],
  ["spamfree", "ada@spamfree.example.org", "ada@spam-free.example.org", "ada@notforspam.example.org"],
  ["spammenot", "adaspammenot@example.org", "ada-spam-me-not@example.org", "ada@SPAM.example.org"],
  ["remove", "ada@remove.example.org", "ada@removed.example.org", "ada@REMOVEexample.org"],
  ["remove", "adaREMOVED@example.org"],
  ["removethis", "ada@REMOVETHIS.example.org", "ada@remove-this.example.org", "ada@removeme.example.org"],
  ["delete", "ada@deletethis.example.org", "ada@delete.example.org", "adaDELETE@example.org"],
  ["strip-this", "ada@strip-this.example.org", "adaREMOVEexample@example.org", "adaJUNK@example.org"],
  ["invalid", "ada@example.invalid", "ada@invalid.example.org", "adaINVALID@example.org"],
  ["invalid", "ada+invalid@example.org"],
  ["dot", "ada_dot_example@example.org"],
])("addresses with %s are altered", (_, ...addresses) => {
  expect(addresses.filter((address) => !isAlteredAddress(address))).toEqual([]);
});

test.each([
  ["words within longer ones", "remover@example.org", "valid@example.org", "ada@stripe.example.org"],
  ["other words", "ada@volvo.example.org", "atlas@dot.example.org", "ada@at.example.org", "spam@example.org"],
  ["upper case alone", "ADA@EXAMPLE.ORG", "SPAM@EXAMPLE.ORG"],
])("addresses with %s are not altered", (_, ...addresses) => {
  expect(addresses.filter(isAlteredAddress)).toEqual([]);
});
