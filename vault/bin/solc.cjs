// Speaks the two sentences of solc that forge uses: `--version`, and `--standard-json` from stdin to stdout.
// CommonJS, because solc-js is, and so that Node 20 and Node 24 read it alike.
const { readFileSync, writeSync } = require('node:fs')
const { isAbsolute, relative } = require('node:path')
const solc = require('solc')

const args = process.argv.slice(2)

if (args.includes('--version')) {
  // forge reads the platform from the suffix and refuses "Emscripten.clang".
  const version = solc.version().replace(/\.Emscripten\.clang$/, '.Linux.g++')
  write(`solc, the solidity compiler commandline interface\nVersion: ${version}\n`)
} else if (args.includes('--standard-json')) {
  const input = JSON.parse(readFileSync(0, 'utf8'))
  input.sources = withOneNameForEachFile(input.sources)
  write(solc.compile(JSON.stringify(input)))
} else {
  process.stderr.write(`bin/solc understands --version and --standard-json, not: ${args.join(' ')}\n`)
  process.exitCode = 1
}

// A file outside the folder of foundry.toml is handed over twice: "../node_modules/…" where a remapping names it and
// "/…/node_modules/…" where a neighbour imports it. The compiler looks for the neighbour under the first name only, and
// a native one would then read the disk. One relative name for each serves both, and keeps this machine's paths out.
function withOneNameForEachFile(sources) {
  const base = args.includes('--base-path') ? args[args.indexOf('--base-path') + 1] : process.cwd()
  return Object.fromEntries(
    Object.entries(sources).map(([name, source]) => [isAbsolute(name) ? relative(base, name) : name, source]),
  )
}

// Written synchronously: a pipe that is still full when the process ends would cut the output short.
function write(text) {
  const bytes = Buffer.from(text)
  let written = 0
  while (written < bytes.length) {
    try {
      written += writeSync(1, bytes, written)
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error
    }
  }
}
