import { expect, test } from "vitest";
import { isGitUrl } from "./git-url.ts";

test.each([
  "https://git.example.net/dn42/registry.git",
  "http://[fd42::1]:3000/registry.git",
  "git://git.example.net/registry.git",
  "ssh://git@git.example.net:2222/dn42/registry.git",
  "git@git.example.net:dn42/registry.git",
  "git@[fd42::1]:dn42/registry.git",
  "mirror:registry.git",
  "file:///srv/registry.git",
  "/srv/registry.git",
])("git can fetch from %j", (url) => {
  expect(isGitUrl(url)).toBe(true);
});

test.each([
  "",
  "registry",
  "../registry.git",
  "--upload-pack=touch /tmp/x",
  "-u",
  "ext::sh -c id",
  "ext::sh",
  "EXT::sh",
  "fd::17",
  "https::https://git.example.net/registry.git",
  "ssh://-oProxyCommand=id/registry.git",
  "ssh://-oProxyCommand=id@git.example.net/registry.git",
  "-oProxyCommand=id:registry.git",
  "git@-oProxyCommand=id:registry.git",
  "git@git.example.net:-registry.git",
  "https://user:secret@git.example.net/registry.git",
  "https://token@git.example.net/registry.git",
  "ssh://git:secret@git.example.net/registry.git",
  "ftp://git.example.net/registry.git",
  "file://host/registry.git",
  "https://git.example.net/a b.git",
  "https://git.example.net/registry.git\nurl = x",
  `/${"a".repeat(500)}`,
])("%j is refused", (url) => {
  expect(isGitUrl(url)).toBe(false);
});
