#!/usr/bin/env node
/*
 * The command's first file. It is written so that every Node can read it, and says in one line which ones can run
 * the rest.
 */
var wanted = require("../package.json").engines.node
var least = wanted.replace(">=", "").split(".").map(Number)
var found = process.versions.node.split(".").map(Number)

if (found[0] < least[0] || (found[0] === least[0] && found[1] < least[1])) {
  console.error("atelier: expected Node %s, this is %s", wanted, process.versions.node)
  process.exitCode = 2
} else {
  require("./main.js")
}
