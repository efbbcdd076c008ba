#!/usr/bin/env node
// @ts-check
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { buildPaths } from '../src/build-paths.mjs'
import { readSlots } from '../src/read-slots.mjs'
import { verifyArchive } from '../src/verify-archive.mjs'
import { verifyBox } from '../src/verify-box.mjs'
import { CODES, verifyDay, WARNINGS } from '../src/verify-day.mjs'
import { verifyLedger } from '../src/verify-ledger.mjs'
import { verifyProof } from '../src/verify-proof.mjs'

const USAGE = `clearwell-verify <day.json> [options]
clearwell-verify <box.json>
clearwell-verify ledger [<archive.jsonl> ...] <ledger.jsonl> [--vault <address> ...] [--root-key <address>] [--bookkeeper-key <address>]
clearwell-verify archive <archive.jsonl>
clearwell-verify proof <proof.jsonl> [--root-key <address>] [--bookkeeper-key <address>]
clearwell-verify paths <data.jsonl> --keys <keys.json> --headers <headers.jsonl> --proof <proof.jsonl> [--rpc <url>]

Checks a published day of blind boxes: commitment, tree, root, draws, powers and rewards. Or checks one box by the inputs
that the app copies when it verifies that box. Or checks an exported ledger: hash chain, zero sums, balances, headers,
signatures and the roots of the last header; with the archives of older entries before it, oldest first, across all of
them. Or checks one archive alone: hash chain, zero sums, counts and closing hash. Or checks the export of your account: your rows add up to your leaves, each
leaf leads to the root in the header, and the key signed the header. Or builds your paths from the published proof data after
the vault has ended, and prints a file for the exit kit.

  --commitment <hex>  the commitment that you noted before the day
  --root <hex>        the root that you noted after the day
  --root-seen <time>  when you first saw that root, such as 2026-11-22T16:00:03.000Z
  --root-key <address>  the key that must have signed every header
  --vault <address>   for a ledger: the vault that it is at. After a move again for each, the oldest first
  --bookkeeper-key <address>  the keys of the bookkeepers, with commas between them: one of them must have signed too
  --rpc <url>         a node of the chain, to compare the block with; for paths, to read the vault's newest root and your counters
  --keys <file>       the published keys of the proof data
  --headers <file>    headers.jsonl, with the header that the vault has ended with
  --number <n>        the header that the paths are for; with --rpc that of the vault's newest root, else the newest in the file
  --proof <file>      proof.jsonl or another file with any earlier path of yours: account, salt and place are in it
  --account, --salt   instead of --proof
  --deposited <units>, --paid <units>  a total that the leaf may have, in base units, again for each one

Exit code 0: everything is right. 1: findings, one in each line. 2: the file cannot be read.
A warning changes no exit code.`

/** @param {string} url @returns {(number: number) => Promise<{ hash: string, time: string } | undefined>} */
function blockReader(url) {
  return async (number) => {
    const params = [`0x${number.toString(16)}`, false]
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params })
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const { result, error } = /** @type {any} */ (await response.json())
    if (error) throw new Error(`the node responded: ${error.message}`)
    return result && { hash: result.hash, time: new Date(Number(result.timestamp) * 1_000).toISOString() }
  }
}

async function main() {
  const options = /** @type {const} */ ({
    commitment: { type: 'string' },
    root: { type: 'string' },
    'root-seen': { type: 'string' },
    rpc: { type: 'string' },
    'root-key': { type: 'string' },
    vault: { type: 'string', multiple: true },
    'bookkeeper-key': { type: 'string' },
    keys: { type: 'string' },
    headers: { type: 'string' },
    number: { type: 'string' },
    proof: { type: 'string' },
    account: { type: 'string' },
    salt: { type: 'string' },
    deposited: { type: 'string', multiple: true },
    paid: { type: 'string', multiple: true },
    help: { type: 'boolean' },
  })
  const { positionals, values } = parseArgs({ options, allowPositionals: true })
  const [path, ...rest] = positionals
  const { 'root-key': rootKey, 'bookkeeper-key': bookkeeperKey } = values
  const keys = { ...(rootKey ? { rootKey } : {}), ...(bookkeeperKey ? { bookkeeperKey } : {}) }
  if (path === 'ledger' && rest.length > 0) return printLedger(rest, { ...keys, vaults: values.vault ?? [] })
  if (path === 'archive' && rest.length === 1) return printArchive(rest[0] ?? '')
  if (path === 'proof' && rest.length === 1) return printProof(rest[0] ?? '', keys)
  if (path === 'paths' && rest.length === 1) return printPaths(rest[0] ?? '', values)
  if (values.help || path === undefined || rest.length > 0) {
    process.stdout.write(`${USAGE}\n`)
    return values.help ? 0 : 2
  }
  const file = JSON.parse(await readFile(path, 'utf8'))
  if (Object.hasOwn(file, 'box')) return printBox(file)
  const { commitment, root, rpc, 'root-seen': rootSeenAt } = values
  const { valid, findings, counts, warnings } = await verifyDay(file, {
    ...(commitment === undefined ? {} : { commitment }),
    ...(root === undefined ? {} : { root }),
    ...(rootSeenAt === undefined ? {} : { rootSeenAt }),
    ...(rpc === undefined ? {} : { readBlock: blockReader(rpc) }),
  })
  for (const { code, detail } of findings) process.stdout.write(`${code}: ${CODES[code]} (${detail})\n`)
  for (const { code, detail } of warnings) process.stdout.write(`warning ${code}: ${WARNINGS[code]} (${detail})\n`)
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  if (valid) process.stdout.write(`${file.day}: all ${file.box_count} boxes are right. Root ${file.boxes_root}\n`)
  else process.stdout.write(`${total} ${total === 1 ? 'finding' : 'findings'}\n`)
  return valid ? 0 : 1
}

/** Prints each step of a box. @param {import('../src/verify-box.mjs').Evidence} evidence */
async function printBox(evidence) {
  const steps = await verifyBox(evidence)
  for (const { name, valid, warning } of steps) {
    const verdict = valid === undefined ? 'not checked' : valid ? 'right' : 'WRONG'
    process.stdout.write(`${name}: ${verdict}${warning ? ` (${WARNINGS[warning]})` : ''}\n`)
  }
  return steps.some(({ valid }) => valid === false) ? 1 : 0
}

/**
 * The lines of a file, opened when they are read.
 *
 * @param {string} path
 * @returns {AsyncIterable<string>}
 */
async function* linesOf(path) {
  yield* createInterface({ input: createReadStream(path), crlfDelay: 0 })
}

/** Prints the first fault of an archive. @param {string} path */
async function printArchive(path) {
  const verdict = await verifyArchive(linesOf(path))
  if (!verdict.valid) {
    process.stdout.write(`line ${verdict.line}: ${verdict.fault}\n`)
    return 1
  }
  const { first, last, postings, before, hash } = verdict.counts
  process.stdout.write(`entries ${first} to ${last} with ${postings} postings are right\n`)
  process.stdout.write(`Entry before ${before}\nLast entry ${hash}\n`)
  return 0
}

/**
 * Prints the first fault of an exported ledger, or of the archives before it.
 *
 * @param {readonly string[]} paths the export is the last
 * @param {{ rootKey?: string, bookkeeperKey?: string, vaults: readonly string[] }} expected
 */
async function printLedger(paths, expected) {
  for (const vault of expected.vaults)
    if (!/^0x[0-9a-fA-F]{40}$/.test(vault)) throw new Error(`--vault ${vault} is no address`)
  const archives = paths.slice(0, -1).map((name) => ({ name, lines: linesOf(name) }))
  const verdict = await verifyLedger(linesOf(paths.at(-1) ?? ''), expected, archives)
  if (!verdict.valid) {
    process.stdout.write(`${verdict.file ? `${verdict.file}, ` : ''}line ${verdict.line}: ${verdict.fault}\n`)
    return 1
  }
  const { entries, headers, entryHash, lastHeader, taken } = verdict.counts
  process.stdout.write(`${entries} entries and ${headers} headers are right. Last entry ${entryHash}\n`)
  if (lastHeader) process.stdout.write(`Last header ${lastHeader}: compare it with the chain or with a bookkeeper\n`)
  if (taken > 0)
    process.stdout.write(
      `warning: entries 1 to ${taken} are in no file that you gave, so the balances after them are the export's own word\n`,
    )
  if (expected.vaults.length === 0)
    process.stdout.write('warning: no --vault, so the headers may be of another vault than yours\n')
  return 0
}

/** Prints the first fault of an account's export. @param {string} path @param {{ rootKey?: string, bookkeeperKey?: string }} keys */
async function printProof(path, keys) {
  const lines = createInterface({ input: createReadStream(path), crlfDelay: 0 })
  const verdict = await verifyProof(lines, keys)
  if (!verdict.valid) {
    process.stdout.write(`line ${verdict.line}: ${verdict.fault}\n`)
    return 1
  }
  const { postings, leaves, positions, header, signer, free, archived } = verdict.counts
  process.stdout.write(`${postings} rows and ${leaves} leaves are right. Header ${header}, signed by ${signer}\n`)
  if (positions > 0) process.stdout.write(`${positions} pledges and loan orders are in its positions tree\n`)
  for (const [asset, units] of Object.entries(free)) process.stdout.write(`${asset}: ${units} base units\n`)
  if (archived)
    process.stdout.write(
      `warning: rows up to entry ${archived.to} of ${archived.at} are in an archive of the operator, so the balances after them are the file's own word\n`,
    )
  if (keys.rootKey === undefined)
    process.stdout.write('warning: no --root-key, so any key may have signed the header\n')
  if (leaves === 0) process.stdout.write('warning: the file has no leaf, so the header does not contain your balance\n')
  return 0
}

/**
 * Prints the paths of an account as a file for the exit kit, and on stderr what was found.
 *
 * @param {string} path
 * @param {{ keys?: string, headers?: string, proof?: string, number?: string, account?: string, salt?: string, rpc?: string, deposited?: string[], paid?: string[] }} values
 */
async function printPaths(path, { keys, headers, proof, rpc, deposited = [], paid = [], ...given }) {
  if (keys === undefined || headers === undefined) throw new Error('paths needs --keys and --headers')
  const text = (/** @type {string} */ name) => readFile(name, 'utf8')
  const files = {
    keys: await text(keys),
    headers: await text(headers),
    proof: proof === undefined ? '' : await text(proof),
  }
  const totals = { deposited: deposited.map(BigInt), paid: paid.map(BigInt) }
  const readVault = rpc === undefined ? undefined : readSlots(rpc)
  const lines = createInterface({ input: createReadStream(path), crlfDelay: 0 })
  const { file, missing } = await buildPaths(lines, { ...files, ...given, totals, ...(readVault ? { readVault } : {}) })
  const [{ number, leaves }] = file.paths
  const say = (/** @type {string} */ line) => process.stderr.write(`${line}\n`)
  say(`header ${number}: ${leaves.length} leaves of ${file.account} lead to its roots`)
  for (const { asset, free } of leaves) say(`${asset}: ${free} base units`)
  for (const asset of missing)
    say(
      `${asset}: a leaf is there, and no total fits. Add --deposited and --paid with what the vault counted at that header`,
    )
  if (readVault === undefined) say('warning: no --rpc, so the vault may have ended with another header')
  process.stdout.write(`${JSON.stringify(file)}\n`)
  return missing.length > 0 || leaves.length === 0 ? 1 : 0
}

process.exitCode = await main().catch((error) => {
  process.stderr.write(`${error.message}\n`)
  return 2
})
