// Runs forge and ends as forge ended. The launcher that npm installs as `forge` (1.7.1) always exits with 0, so with it
// a failed test, a failed build and a misspelt option all look like a success.
const { spawnSync } = require('node:child_process')

const { platform } = process
const arch = process.arch === 'x64' ? 'amd64' : process.arch
const binary = require.resolve(`@foundry-rs/forge-${platform}-${arch}/bin/forge${platform === 'win32' ? '.exe' : ''}`)

const { status, signal, error } = spawnSync(binary, process.argv.slice(2), { stdio: 'inherit' })
if (error) throw error
// A forge that was killed, by the system for its memory for instance, has no status and has not succeeded.
if (signal) process.stderr.write(`forge was ended by ${signal}\n`)
process.exitCode = status ?? 1
