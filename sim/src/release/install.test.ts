import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterEach, expect, test } from 'vitest'
import { findPostgres, startPostgres } from '../../../scripts/postgres.ts'
import { findNginx, startNginx } from '../proxy/nginx.ts'
import { BUILD_MS, isAsked, ROOT, startRelease } from './release-process.ts'
import { callAt, requestBy, swapOnce } from './swap-once.ts'
import { OWNER_KEY, startTestnet } from './testnet.ts'

/** Follows docs/recipes/install-on-one-machine.md, in a folder that takes the place of the machine's root. */
const PAGE = join(ROOT, 'docs/recipes/install-on-one-machine.md')
const UNIT = join(ROOT, 'deploy/systemd/clearwell@.service')
const nginx = findNginx()
const canRun = isAsked && findPostgres() !== undefined && nginx !== undefined
if (isAsked && !canRun) console.warn('The installation is skipped: it needs PostgreSQL and nginx.')

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
}, 60_000)

/** Puts the paths of the page below `folder`. */
const below = (folder: string) => (text: string) =>
  text.replaceAll(/\/(opt\/clearwell|etc\/clearwell|usr\/local\/bin\/clearwell)\b/g, (path) => join(folder, path))

/** The variables that systemd gives the server of this port: those of the unit, then those of its file. */
async function unitVariables(port: number, folder: string): Promise<Record<string, string>> {
  const unit = await readFile(UNIT, 'utf8')
  const lines = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, words = '']) => words.split(' '))
  const specifiers: Record<string, string> = {
    i: String(port),
    S: join(folder, 'var/lib'),
    d: join(folder, 'etc/clearwell/secrets'),
  }
  const file = await readFile(join(folder, 'etc/clearwell/clearwell.env'), 'utf8')
  const all = [
    ...lines.map((line) => line.replaceAll(/%([iSd])/g, (_, letter: string) => specifiers[letter] ?? '')),
    ...file.split('\n').filter((line) => /^[A-Z]/.test(line)),
  ]
  return Object.fromEntries(all.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))
}

test.runIf(canRun)(
  'the page’s commands install two servers with TLS that swap',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'clearwell-install-'))
    ends.push(() => rm(folder, { recursive: true, force: true }))
    for (const name of ['opt', 'etc', 'usr/local/bin', 'nginx']) await mkdir(join(folder, name), { recursive: true })
    const [postgres, chain] = [await startPostgres({ fsync: true }), await startTestnet(join(folder, 'chain'))]
    ends.push(postgres.stop, chain.stop)
    await writeFile(join(folder, 'deployer'), OWNER_KEY, { mode: 0o600 })
    const variables = {
      PATH: [join(folder, 'usr/local/bin'), dirname(process.execPath), process.env.PATH].join(':'),
      HOME: folder,
      NODE: process.execPath,
      CLEARWELL_ETC: join(folder, 'etc/clearwell'),
      DATABASE_URL: postgres.url,
      NODE_URL: chain.rpcUrl,
      DEPLOYER: join(folder, 'deployer'),
      OWNER: chain.owner,
      GUARDIAN: privateKeyToAddress(generatePrivateKey()),
    }
    const move = below(folder)
    const page = await readFile(PAGE, 'utf8')
    const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text = '']) => move(text))
    const runShell = async (text = 'false', { DATABASE_URL, ...others }: Record<string, string> = variables) => {
      const env = text.includes('$DATABASE_URL') ? { ...others, DATABASE_URL: DATABASE_URL ?? '' } : others
      return (await promisify(execFile)('sh', ['-euc', text], { cwd: ROOT, env })).stdout
    }
    expect(blocks).toHaveLength(3)

    // Steps 1 and 3, with the addresses that the page leaves to its reader.
    await runShell(blocks[0])
    await runShell(blocks[1])
    const [config, environment] = [
      join(folder, 'etc/clearwell/clearwell.json'),
      join(folder, 'etc/clearwell/clearwell.env'),
    ]
    await chain.writeConfig(config, config)
    await writeFile(environment, move(await readFile(environment, 'utf8')))

    // Step 4.
    const output = await runShell(blocks[2])
    expect(output).toContain('Its limits are set.')
    expect(output.match(/^(ok|fault) .*$/gm)?.filter((line) => line.startsWith('fault'))).toEqual([])

    // Steps 5 and 6, without systemd.
    const proxy = await startNginx(nginx ?? '', join(folder, 'nginx'))
    ends.push(proxy.stop)
    for (const { port } of proxy.servers) {
      const of = { ...(await unitVariables(port, folder)), METRICS_PORT: '0' }
      await startRelease(join(folder, 'opt/clearwell'), { cwd: folder, variables: of, ends })
    }
    const { vault } = JSON.parse(await readFile(config, 'utf8')).chain
    await chain.pay(vault, parseEther('2000'))
    const swap = await swapOnce(callAt(proxy.url, requestBy(proxy.certificate)), chain, vault)
    expect([swap.code, Number(swap.data?.amount_out)]).toEqual([1, expect.closeTo(49.6275, 4)])
    expect(await runShell(`${join(folder, 'usr/local/bin/clearwell')} operator audit`)).toContain('0 faults')
  },
  BUILD_MS,
)
