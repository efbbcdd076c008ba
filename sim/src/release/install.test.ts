import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@clearwell/server/src/platform/http/ports.ts'
import { type Address, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterEach, expect, test } from 'vitest'
import { findPostgres, startPostgres } from '../../../scripts/postgres.ts'
import { findNginx, startNginx } from '../proxy/nginx.ts'
import { BUILD_MS, isAsked, ROOT, startRelease } from './release-process.ts'
import { callAt, requestBy, swapOnce, transferOut } from './swap-once.ts'
import { OWNER_KEY, startTestnet, type Testnet } from './testnet.ts'

/** Follows docs/recipes/install-on-one-machine.md, in two folders that take the place of the machines' roots. */
const PAGE = join(ROOT, 'docs/recipes/install-on-one-machine.md')
const SERVER_UNIT = join(ROOT, 'deploy/systemd/clearwell@.service')
const BOOKKEEPER_UNIT = join(ROOT, 'deploy/systemd/clearwell-bookkeeper.service')
const nginx = findNginx()
const canRun = isAsked && findPostgres() !== undefined && nginx !== undefined
if (isAsked && !canRun) console.warn('The installation is skipped: it needs PostgreSQL and nginx.')
/** Time for a signed header and its post, on a busy machine. */
const ROOT_MS = 90_000

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** Puts the paths of the page below `folder`. */
const below = (folder: string) => (text: string) =>
  text.replaceAll(/\/(opt\/clearwell|etc\/clearwell|usr\/local\/bin\/clearwell)\b/g, (path) => join(folder, path))

/** The variables that systemd gives a program: those of its unit, then those of its file. */
async function unitVariables(unit: string, file: string, folder: string, port = 0): Promise<Record<string, string>> {
  const lines = [...(await readFile(unit, 'utf8')).matchAll(/^Environment=(.*)$/gm)].flatMap(([, words = '']) =>
    words.split(' '),
  )
  const specifiers: Record<string, string> = {
    i: String(port),
    S: join(folder, 'var/lib'),
    d: join(folder, 'etc/clearwell/secrets'),
  }
  const all = [
    ...lines.map((line) => line.replaceAll(/%([iSd])/g, (_, letter: string) => specifiers[letter] ?? '')),
    ...(await readFile(join(folder, 'etc/clearwell', file), 'utf8')).split('\n').filter((line) => /^[A-Z]/.test(line)),
  ]
  return Object.fromEntries(all.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))
}

/** The commands of the page that are run, in order: of steps 1, 3, 4 and 5. */
async function blocksOfPage() {
  const page = await readFile(PAGE, 'utf8')
  const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text)
  expect(blocks).toHaveLength(4)
  const [build = '', bookkeepersKey = '', secrets = '', deploy = ''] = blocks
  return { build, bookkeepersKey, secrets, deploy }
}

/** Writes values into a file of variables, as an editor would. */
async function writeVariables(file: string, values: Readonly<Record<string, string>>): Promise<void> {
  let text = await readFile(file, 'utf8')
  for (const [name, value] of Object.entries(values)) {
    expect(text).toMatch(new RegExp(`^${name}=`, 'm'))
    text = text.replace(new RegExp(`^${name}=.*$`, 'm'), `${name}=${value}`)
  }
  await writeFile(file, text)
}

/** A folder in the place of a machine. `run` runs commands of the page there, and returns their output. */
async function openMachine(name: string, variables: Readonly<Record<string, string>>) {
  const folder = await mkdtemp(join(tmpdir(), `clearwell-${name}-`))
  ends.push(() => rm(folder, { recursive: true, force: true }))
  for (const path of ['opt', 'etc', 'usr/local/bin']) await mkdir(join(folder, path), { recursive: true })
  const own = {
    PATH: [join(folder, 'usr/local/bin'), dirname(process.execPath), process.env.PATH].join(':'),
    HOME: folder,
    NODE: process.execPath,
    CLEARWELL_ETC: join(folder, 'etc/clearwell'),
  }
  return {
    folder,
    secret: (file: string) => join(folder, 'etc/clearwell/secrets', file),
    async run(commands: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
      const env = { ...own, ...variables, ...more }
      return (await promisify(execFile)('sh', ['-euc', below(folder)(commands)], { cwd: ROOT, env })).stdout
    },
  }
}

type Machine = Awaited<ReturnType<typeof openMachine>>

async function startBookkeeper({ folder }: Machine): Promise<void> {
  const variables = await unitVariables(BOOKKEEPER_UNIT, 'bookkeeper.env', folder)
  const program = join(folder, 'opt/clearwell/bookkeeper.js')
  const child: ChildProcess = spawn(process.execPath, [program], {
    cwd: folder,
    env: { PATH: '/usr/bin:/bin', ...variables },
    stdio: 'ignore',
  })
  const gone = once(child, 'exit')
  ends.push(async () => {
    child.kill('SIGKILL')
    await gone
  })
}

/** Steps 1, 3 and 4, with the addresses that the page leaves to its reader. */
async function prepare(servers: Machine, books: Machine, chain: Testnet, databaseUrl: string) {
  const page = await blocksOfPage()
  await servers.run(page.build)
  await mkdir(join(books.folder, 'opt/clearwell'))
  for (const [from, to] of [
    ['bookkeeper.js', 'bookkeeper.js'],
    ['deploy/bookkeeper.env.example', 'bookkeeper.env.example'],
  ] as const)
    await copyFile(join(servers.folder, 'opt/clearwell', from), join(books.folder, 'opt/clearwell', to))
  const said = await books.run(page.bookkeepersKey, { OTHER_NODE_URL: chain.rpcUrl })
  const [address = ''] = /0x[0-9a-fA-F]{40}/.exec(said) ?? []
  await servers.run(page.secrets, { DATABASE_URL: databaseUrl, NODE_URL: chain.rpcUrl })
  await copyFile(books.secret('bookkeeper_token'), servers.secret('bookkeeper_token'))
  await copyFile(servers.secret('proof_data_key'), books.secret('proof_data_key'))
  const [etc, port] = [join(servers.folder, 'etc/clearwell'), String(await freePort())]
  const config = join(etc, 'clearwell.json')
  await chain.writeConfig(config, config)
  const environment = join(etc, 'clearwell.env')
  await writeFile(environment, below(servers.folder)(await readFile(environment, 'utf8')))
  await writeVariables(environment, { BOOKKEEPER_URL: `http://127.0.0.1:${port}`, BOOKKEEPER_ADDRESS: address })
  return { deploy: page.deploy, address, port, config }
}

test.runIf(canRun)(
  'the page’s commands install servers that swap and pay out',
  async () => {
    const [postgres, folder] = [
      await startPostgres({ fsync: true }),
      await mkdtemp(join(tmpdir(), 'clearwell-install-')),
    ]
    ends.push(postgres.stop, () => rm(folder, { recursive: true, force: true }))
    const chain = await startTestnet(join(folder, 'chain'))
    ends.push(chain.stop)
    const deployer = join(folder, 'deployer')
    await writeFile(deployer, OWNER_KEY, { mode: 0o600 })
    const newAddress = () => privateKeyToAddress(generatePrivateKey())
    const accounts = { OWNER: chain.owner, GUARDIAN: newAddress(), PAYOUT: newAddress() }
    const [servers, books] = [
      await openMachine('servers', { ...accounts, DEPLOYER: deployer }),
      await openMachine('books', {}),
    ]
    const { deploy, address, port, config } = await prepare(servers, books, chain, postgres.url)

    // Step 5.
    const output = await servers.run(deploy, { BOOKKEEPER: address })
    expect(output.match(/^(ok|fault) .*$/gm)?.filter((line) => line.startsWith('fault'))).toEqual([])
    expect(output).toContain('note   roots: the vault has no root yet')
    const [, poster = ''] = /note {3}roots: the poster (0x\w{40}) has 0 of the native coin/.exec(output) ?? []
    await chain.give(poster as Address, parseEther('0.02'))

    // Steps 6 and 7, without systemd.
    await mkdir(join(folder, 'nginx'))
    const proxy = await startNginx(nginx ?? '', join(folder, 'nginx'))
    ends.push(proxy.stop)
    for (const { port: own } of proxy.servers) {
      const of = await unitVariables(SERVER_UNIT, 'clearwell.env', servers.folder, own)
      const release = join(servers.folder, 'opt/clearwell')
      await startRelease(release, { cwd: servers.folder, variables: { ...of, METRICS_PORT: '0' }, ends })
    }
    const { vault, vaultBlock } = JSON.parse(await readFile(config, 'utf8')).chain
    await writeVariables(join(books.folder, 'etc/clearwell/bookkeeper.env'), {
      SERVER_URL: `http://127.0.0.1:${proxy.servers[0]?.port}`,
      VAULT_ADDRESS: vault,
      VAULT_BLOCK: String(vaultBlock),
      PORT: port,
    })
    await startBookkeeper(books)
    const check = () => servers.run('clearwell operator check')
    await expect.poll(check, { timeout: ROOT_MS, interval: 1_000 }).not.toContain('note   roots')

    await chain.pay(vault, parseEther('2000'))
    const call = callAt(proxy.url, requestBy(proxy.certificate))
    const { swap, account, token } = await swapOnce(call, chain, vault)
    expect([swap.code, Number(swap.data?.amount_out)]).toEqual([1, expect.closeTo(49.6275, 4)])
    // A part of the rest, by the wallet with both signatures.
    expect(await transferOut(call, chain, { account, token, amount: '20' })).toBe(parseEther('20'))
    expect(await servers.run('clearwell operator audit')).toContain('0 faults')
  },
  BUILD_MS * 2,
)
