#!/usr/bin/env node
/** The command of the npm package: runs the bundle on the project's Node.js. Plain JavaScript, like the launcher. */
"use strict";
const path = require("path");
const { isMainThread } = require("worker_threads");

// npx starts a command through a shell, which ends at a signal without passing it on.
if (process.env.npm_command === "exec" && isMainThread) stopWithParent();
// The program loads this file as well, since it replaces this process or is its child.
if (require.main === module) {
  const program = path.join(__dirname, "../../../build/programs/peerdeck.mjs");
  process.argv.splice(2, 0, "--require", __filename, "--max-semi-space-size=2", program);
  require("../../launch.cjs");
}

function stopWithParent() {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, "SIGTERM");
  }, 500);
  watch.unref();
}
