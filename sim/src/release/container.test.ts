import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@clearwell/server/src/platform/http/ports.ts'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, expect, test } from 'vitest'
import { findPostgres, startPostgres } from '../../../scripts/postgres.ts'
import { readBuildInfo } from '../../../scripts/release/build-info.ts'
import { isAsked, ROOT } from './release-process.ts'
import { OWNER_KEY, startTestnet } from './testnet.ts'

/**
 * Builds deploy/Containerfile without a container engine: buildah of Debian, on a base that mmdebstrap makes. It needs root, and
 * the network of Debian and npm as this machine is configured for them.
 */
const run = promisify(execFile)
const canRun =
  isAsked && process.getuid?.() === 0 && findPostgres() !== undefined && (await hasAll(['buildah', 'mmdebstrap']))
if (isAsked && !canRun) console.warn('not run: the Containerfile, which needs root, buildah and mmdebstrap')
const MINUTES = 60_000

const ends: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const end of ends.splice(0).reverse()) await end()
}, 2 * MINUTES)

async function hasAll(programs: readonly string[]): Promise<boolean> {
  const found = await Promise.allSettled(programs.map((program) => run(program, ['--version'])))
  return found.every(({ status }) => status === 'fulfilled')
}

/** Debian's smallest system with the Node and the npm of this machine. The image that the Containerfile names has the same parts. */
const BASE = `FROM scratch
ADD base.tar /
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
COPY authorities.pem /etc/authorities.pem
ENV PATH=/usr/local/bin:/usr/bin:/bin NODE_EXTRA_CA_CERTS=/etc/authorities.pem
`

async function makeBase(folder: string): Promise<void> {
  await run('mmdebstrap', ['--variant=minbase', '--include=ca-certificates', 'bookworm', join(folder, 'base.tar')])
  await cp(process.execPath, join(folder, 'node'))
  const { stdout } = await run('sh', ['-c', 'readlink -f "$(command -v npm)"'])
  await cp(dirname(dirname(stdout.trim())), join(folder, 'npm'), { recursive: true, dereference: true })
  const { NODE_EXTRA_CA_CERTS } = process.env
  await writeFile(join(folder, 'authorities.pem'), NODE_EXTRA_CA_CERTS ? await readFile(NODE_EXTRA_CA_CERTS) : '')
  await writeFile(join(folder, 'Containerfile'), BASE)
}

/** The registry that npm uses on this machine, for the build alone: it is in no layer. */
async function npmOfThisMachine(): Promise<string[]> {
  const settings = join(homedir(), '.npmrc')
  const isThere = await readFile(settings).catch(() => undefined)
  return isThere ? ['--volume', `${settings}:/root/.npmrc:ro`] : []
}

test.runIf(canRun)(
  'buildah builds the Containerfile, and its server starts as another user',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'clearwell-container-'))
    ends.push(() => rm(folder, { recursive: true, force: true }))
    const store = ['--storage-driver', 'vfs', '--root', join(folder, 'store'), '--runroot', join(folder, 'run')]
    const buildah = async (...args: string[]) =>
      (await run('buildah', [...store, ...args], { cwd: ROOT, maxBuffer: 2 ** 26 })).stdout.trim()
    await makeBase(folder)
    await buildah('build', '--isolation', 'chroot', '--tag', 'base', folder)
    const { commit, committedAt } = readBuildInfo(ROOT)
    const values = { BASE: 'localhost/base', CLEARWELL_COMMIT: commit, CLEARWELL_COMMITTED_AT: committedAt }
    const args = Object.entries(values).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`])
    const files = ['--file', 'deploy/Containerfile', '--ignorefile', 'deploy/Containerfile.dockerignore']
    const build = ['build', '--isolation', 'chroot', '--format', 'docker', ...files, ...args]
    await buildah(...build, ...(await npmOfThisMachine()), '--tag', 'clearwell', '.')

    const { config } = JSON.parse(await buildah('inspect', '--type', 'image', 'clearwell')).Docker
    expect(config).toMatchObject({ User: '10001:10001', WorkingDir: '/opt/clearwell' })
    expect(config.Healthcheck.Test.join(' ')).toContain('/readyz')
    const container = await buildah('from', 'clearwell')
    const inside = (...command: string[]) => ['run', '--isolation', 'chroot', container, '--', ...command]
    expect(JSON.parse(await buildah(...inside('cat', 'package.json')))).toMatchObject({ commit, committedAt })
    expect(await buildah(...inside('sh', '-c', 'id -u; ls /'))).toMatch(/^10001\n(?![\s\S]*^src$)/m)

    const [postgres, chain] = [await startPostgres({ fsync: true }), await startTestnet(join(folder, 'chain'))]
    ends.push(postgres.stop, chain.stop)
    const file = join(folder, 'clearwell.json')
    await chain.writeConfig(join(ROOT, 'apps/server/config/staging.json'), file)
    const port = String(await freePort())
    const variables = {
      PROFILE: 'staging',
      VAULT_KIND: 'plain',
      CONFIG_FILE: '/etc/clearwell.json',
      DATABASE_URL: postgres.url,
      CHAIN_RPC_URL: chain.rpcUrl,
      PUBLIC_RPC_URL: 'https://node.example',
      PUBLIC_URL: 'https://app.example',
      SERVER_URL: `http://127.0.0.1:${port}`,
      PORT: port,
      METRICS_PORT: 'off',
      SIGNER_KEY: generatePrivateKey(),
      BOX_SEED_KEY: generatePrivateKey(),
      DEPLOYER_KEY: OWNER_KEY,
    }
    const env = Object.entries(variables).map(([name, value]) => `${name}=${value}`)
    const mounted = ['run', '--isolation', 'chroot', '--volume', `${file}:/etc/clearwell.json`]
    const roles = ['--owner', chain.owner, '--guardian', privateKeyToAddress(generatePrivateKey()), '--execute']
    const deploy = ['vault.js', 'deploy', '--config', '/etc/clearwell.json', ...roles]
    await buildah(...mounted, '--user', '0', container, '--', 'env', ...env, 'node', ...deploy)
    const server = spawn('buildah', [...store, ...mounted, container, '--', 'env', ...env, 'node', 'main.js'])
    const gone = once(server, 'exit')
    ends.push(async () => {
      server.kill('SIGTERM')
      await gone
    })
    const status = () =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ status }) => status,
        () => 0,
      )
    await expect.poll(status, { timeout: MINUTES }).toBe(200)
  },
  20 * MINUTES,
)
