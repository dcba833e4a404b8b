/**
 * `npm test` runs this before its runner, which needs the project's Node.js: installs the library that Node.js needs and
 * some Debian machines lack, if that needs no password. Otherwise the launcher prints what to install.
 */
"use strict";
const { spawnSync } = require("child_process");
const path = require("path");

const launcher = path.join(__dirname, "../../../src/launch.cjs");
const { stderr } = spawnSync(process.execPath, [launcher, "--version"], { encoding: "utf8" });
if (/apt-get install libatomic1/.test(stderr)) {
  const isRoot = process.getuid && process.getuid() === 0;
  const prefix = isRoot ? [] : ["sudo", "-n"];
  const aptGet = prefix.concat("env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "--yes");
  for (const args of [["update"], ["install", "--no-install-recommends", "libatomic1"]]) {
    const command = aptGet.concat(args);
    spawnSync(command[0], command.slice(1), { stdio: ["ignore", "inherit", "inherit"] });
  }
}
