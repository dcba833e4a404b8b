import { expect, test } from "vitest";
import { isGitUrl } from "./git-url.ts";

test.each([
  ["http", "https://git.example.net/dn42/registry.git", "http://[fd42::1]:3000/registry.git"],
  ["git and ssh", "git://git.example.net/registry.git", "ssh://git@git.example.net:2222/dn42/registry.git"],
  ["a user's host", "git@git.example.net:dn42/registry.git", "git@[fd42::1]:dn42/registry.git"],
  ["a user's host", "mirror:registry.git"],
  ["files", "file:///srv/registry.git", "/srv/registry.git"],
])("git can fetch from URLs of %s", (_, ...urls) => {
  expect(urls.filter((url) => !isGitUrl(url))).toEqual([]);
});

test.each([
  ["relative paths", "", "registry", "../registry.git"],
  ["options", "--upload-pack=touch /tmp/x", "-u", "-oProxyCommand=id:registry.git"],
  ["options as hosts", "ssh://-oProxyCommand=id/registry.git"],
  ["options as hosts", "ssh://-oProxyCommand=id@git.example.net/registry.git"],
  ["options as parts", "git@-oProxyCommand=id:registry.git", "git@git.example.net:-registry.git"],
  ["remote helpers", "ext::sh -c id", "ext::sh", "EXT::sh", "fd::17"],
  ["remote helpers", "https::https://git.example.net/registry.git"],
  ["secrets", "https://user:secret@git.example.net/registry.git"],
  ["secrets", "https://token@git.example.net/registry.git"],
  ["a password", "ssh://git:secret@git.example.net/registry.git"],
  ["other schemes", "ftp://git.example.net/registry.git", "file://host/registry.git"],
  ["blanks", "https://git.example.net/a b.git", "https://git.example.net/registry.git\nurl = x"],
  ["a great length", `/${"a".repeat(500)}`],
])("URLs with %s are refused", (_, ...urls) => {
  expect(urls.filter(isGitUrl)).toEqual([]);
});
