// Writes vault/abi/*.ts from forge's output in vault/out. With --check it writes nothing and fails when a
// committed file differs, so that the web and the server cannot speak to another contract than the one in src/.
// The contracts with exits compile for minutes: --exits is for them alone, in the stage of `npm test` that compiles them.
import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'

type Artifact = { abi: unknown[]; bytecode: { object: string; linkReferences: object } }

interface Contract {
  readonly source: string
  readonly file: string
  readonly name: string
  /** It is deployed by another contract. */
  readonly isPart?: true
}

const WITHOUT_EXITS: readonly Contract[] = [
  { source: 'ClearwellVault', file: 'clearwell-vault.ts', name: 'clearwellVault' },
  { source: 'TestToken', file: 'test-token.ts', name: 'testToken' },
  { source: 'ContractWallet', file: 'contract-wallet.ts', name: 'contractWallet' },
]
const WITH_EXITS: readonly Contract[] = [
  { source: 'ExitVault', file: 'exit-vault.ts', name: 'exitVault' },
  { source: 'Settlement', file: 'settlement.ts', name: 'settlement' },
  { source: 'Claims', file: 'claims.ts', name: 'claims', isPart: true },
  { source: 'VaultKeys', file: 'vault-keys.ts', name: 'vaultKeys', isPart: true },
]

const isCheck = process.argv.includes('--check')
const contracts = process.argv.includes('--exits') ? WITH_EXITS : WITHOUT_EXITS

for (const { source, file, name, isPart } of contracts) {
  const artifact = JSON.parse(readFileSync(urlOf(`../out/${source}.sol/${source}.json`), 'utf8')) as Artifact
  const text = render(name, source, artifact, isPart)
  const url = urlOf(`../abi/${file}`)

  if (!isCheck) {
    writeFileSync(url, text)
  } else if (readOrEmpty(url) !== text) {
    process.stderr.write(`vault/abi/${basename(url.pathname)} is stale: run "npm run generate -w vault"\n`)
    process.exitCode = 1
  }
}

function render(name: string, source: string, { abi, bytecode }: Artifact, isPart = false): string {
  if (!/^0x([0-9a-f]{2})+$/.test(bytecode.object)) throw new Error(`${source}: the bytecode is not plain hex`)
  const entries = abi.map((entry) => `  ${JSON.stringify(entry, withoutInternalTypes)},\n`).join('')
  return [
    `// Generated from vault/src by vault/scripts/generate-abi.ts. Do not edit.\n`,
    `export const ${name}Abi = [\n${entries}] as const\n`,
    ...(isPart ? [] : [`export const ${name}Bytecode: \`0x\${string}\` =\n  '${bytecode.object}'\n`]),
  ].join('\n')
}

// Names of Solidity's own types: nothing reads them, and the browser would load them.
function withoutInternalTypes(key: string, value: unknown): unknown {
  return key === 'internalType' ? undefined : value
}

function readOrEmpty(url: URL): string {
  try {
    return readFileSync(url, 'utf8')
  } catch {
    return ''
  }
}

function urlOf(path: string): URL {
  return new URL(path, import.meta.url)
}
