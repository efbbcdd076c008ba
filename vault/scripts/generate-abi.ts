// Writes vault/abi/*.ts from forge's output in vault/out. With --check it writes nothing and fails when a
// committed file differs, so that the web and the server cannot speak to another contract than the one in src/.
import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'

type Artifact = { abi: unknown[]; bytecode: { object: string; linkReferences: object } }

const contracts = [
  { source: 'ClearwellVault', file: 'clearwell-vault.ts', name: 'clearwellVault' },
  { source: 'TestToken', file: 'test-token.ts', name: 'testToken' },
]

const isCheck = process.argv.includes('--check')

for (const { source, file, name } of contracts) {
  const artifact = JSON.parse(readFileSync(urlOf(`../out/${source}.sol/${source}.json`), 'utf8')) as Artifact
  const text = render(name, source, artifact)
  const url = urlOf(`../abi/${file}`)

  if (!isCheck) {
    writeFileSync(url, text)
  } else if (readOrEmpty(url) !== text) {
    process.stderr.write(`vault/abi/${basename(url.pathname)} is stale: run "npm run generate -w vault"\n`)
    process.exitCode = 1
  }
}

function render(name: string, source: string, { abi, bytecode }: Artifact): string {
  if (!/^0x([0-9a-f]{2})+$/.test(bytecode.object)) throw new Error(`${source}: the bytecode is not plain hex`)
  const entries = abi.map((entry) => `  ${JSON.stringify(entry, withoutInternalTypes)},\n`).join('')
  return [
    `// Generated from vault/src by vault/scripts/generate-abi.ts. Do not edit.\n`,
    `export const ${name}Abi = [\n${entries}] as const\n`,
    `export const ${name}Bytecode: \`0x\${string}\` =\n  '${bytecode.object}'\n`,
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
