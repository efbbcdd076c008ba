import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { findPostgres } from '../../scripts/postgres.ts'

const run = promisify(execFile)
const WANTED = ['patroni', 'python3-etcd', 'etcd-server', 'etcd-client', 'haproxy']
/** Kept between starts, and readable by the user that PostgreSQL runs as. */
const FOLDER = join('/var/tmp', `clearwell-cluster-packages-${process.getuid?.() ?? 0}`)

/** Programs of the cluster, and the environment that they need. */
export interface Programs {
  readonly etcd: string
  readonly etcdctl: string
  readonly haproxy: string
  /** Its arguments come after these. */
  readonly patroni: readonly string[]
  readonly patronictl: readonly string[]
  /** The folder of PostgreSQL's programs. */
  readonly postgres: string
  readonly env: Readonly<Record<string, string>>
}

/** This machine cannot have the programs. */
export class NoPrograms extends Error {}

/**
 * Gets the Debian packages that this system lacks, and unpacks them into a folder. Nothing is installed into the system, so
 * no service is started and no rights are needed.
 *
 * @throws NoPrograms on another system, or without its package servers.
 */
export async function getPrograms(say: (text: string) => void): Promise<Programs> {
  if (process.platform !== 'linux' || !existsSync('/usr/bin/apt-get') || !existsSync('/usr/bin/dpkg-deb'))
    throw new NoPrograms(
      'The cluster needs Debian 12 or a system like it: it takes etcd, Patroni and HAProxy from its packages.',
    )
  const root = join(FOLDER, 'root')
  await makeFolder()
  if (!existsSync(root)) await unpack(root, say)
  return programsIn(root)
}

async function makeFolder(): Promise<void> {
  await mkdir(FOLDER, { recursive: true, mode: 0o755 })
  const { uid } = await stat(FOLDER)
  if (uid !== process.getuid?.()) throw new NoPrograms(`${FOLDER} belongs to another user`)
}

async function unpack(root: string, say: (text: string) => void): Promise<void> {
  const names = await missingPackages()
  say(`Getting ${names.length} packages of Debian into ${FOLDER}: ${names.join(', ')}.`)
  const folder = await mkdtemp(join(FOLDER, 'new-'))
  try {
    const debs = join(folder, 'debs')
    const files = join(folder, 'root')
    for (const each of [debs, files]) await mkdir(each, { mode: 0o755 })
    await apt(['download', ...names], debs)
    for (const deb of (await readdir(debs)).filter((name) => name.endsWith('.deb')))
      await run('dpkg-deb', ['--extract', join(debs, deb), files])
    await rename(files, root)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Packages that apt would install: the wanted ones, with all that they need and this system lacks. */
async function missingPackages(): Promise<string[]> {
  const wanted = [...WANTED, ...(findPostgres() ? [] : ['postgresql-15'])]
  const plan = await apt(['install', '--simulate', '--no-install-recommends', '--reinstall', ...wanted], '/')
  return namesToInstall(plan)
}

/** The packages in the lines `Inst <name> (<version> …)` of a simulated installation. */
export function namesToInstall(plan: string): string[] {
  return [...new Set([...plan.matchAll(/^Inst (\S+) /gm)].map(([, name = '']) => name))].toSorted()
}

async function apt(args: readonly string[], cwd: string): Promise<string> {
  try {
    return (await run('apt-get', args, { cwd, maxBuffer: 2 ** 24, env: { ...process.env, LC_ALL: 'C' } })).stdout
  } catch (error) {
    const { stderr = '' } = error as { readonly stderr?: string }
    throw new NoPrograms(`apt-get ${args[0]} failed. Try apt-get update first.\n${stderr.trim()}`)
  }
}

async function programsIn(root: string): Promise<Programs> {
  const postgres = findPostgres() ?? join(root, 'usr/lib/postgresql/15/bin')
  const libraries = (await readdir(join(root, 'usr/lib'))).filter((name) => name.endsWith('-linux-gnu'))
  const python = (name: string) => ['/usr/bin/python3', join(root, 'usr/bin', name)]
  for (const each of [join(root, 'usr/bin/etcd'), join(root, 'usr/sbin/haproxy'), join(postgres, 'postgres')])
    if (!existsSync(each)) throw new NoPrograms(`${each} is missing: remove ${dirname(root)} and start again`)
  return {
    etcd: join(root, 'usr/bin/etcd'),
    etcdctl: join(root, 'usr/bin/etcdctl'),
    haproxy: join(root, 'usr/sbin/haproxy'),
    patroni: python('patroni'),
    patronictl: python('patronictl'),
    postgres,
    env: {
      PYTHONPATH: join(root, 'usr/lib/python3/dist-packages'),
      LD_LIBRARY_PATH: libraries.map((name) => join(root, 'usr/lib', name)).join(':'),
    },
  }
}
