import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@clearwell/server/src/platform/http/ports.ts'

const PAGE = join(import.meta.dirname, '../../../docs/recipes/run-behind-a-proxy.md')
const READY_MS = 10_000

export const HOW_TO_GET_NGINX = 'Install nginx (Debian and Ubuntu: apt-get install nginx) to run them.'

/** The program, or `undefined` where it is not installed. */
export function findNginx(): string | undefined {
  const folders = ['/usr/sbin', '/usr/local/sbin', ...(process.env.PATH ?? '').split(delimiter)]
  return folders.map((folder) => join(folder, 'nginx')).find(isExecutable)
}

/** A server behind the proxy: its own port, and the one at which other servers reach it by TLS. */
export interface ProxiedServer {
  readonly port: number
  readonly tlsPort: number
}

export interface Nginx {
  /** Where clients reach the servers. */
  readonly url: string
  /** The only certificate there is, which is its own authority. */
  readonly certificate: string
  readonly certificateFile: string
  readonly servers: readonly [ProxiedServer, ProxiedServer]
  /** The log of nginx, with a line for each request that it sent to the other server. */
  errors(): Promise<string>
  stop(): Promise<void>
}

/** Starts a real nginx with the configuration of docs/recipes/run-behind-a-proxy.md; only addresses and paths are changed. */
export async function startNginx(program: string, folder: string): Promise<Nginx> {
  const [port, ...ports] = await Promise.all(Array.from({ length: 5 }, freePort))
  const [first = 0, second = 0, firstTls = 0, secondTls = 0] = ports
  const servers = [
    { port: first, tlsPort: firstTls },
    { port: second, tlsPort: secondTls },
  ] as const
  const certificateFile = await createCertificate(folder)
  const [ofClients = '', ofServers = ''] = nginxBlocks(await readFile(PAGE, 'utf8'))
  const paths = (text: string) =>
    text.replaceAll(/\/etc\/\S+\.pem/g, certificateFile).replaceAll(/\/etc\/\S+\.key/g, join(folder, 'key.pem'))
  const clients = replaceEach(paths(ofClients), {
    'listen 443': `listen 127.0.0.1:${port}`,
    'app.example;': 'localhost;',
    '127.0.0.1:3000': `127.0.0.1:${first}`,
    '127.0.0.1:3001': `127.0.0.1:${second}`,
  })
  const peers = servers.map(({ port, tlsPort }) =>
    replaceEach(paths(ofServers), { '10.0.0.1:8443': `127.0.0.1:${tlsPort}`, '127.0.0.1:3000': `127.0.0.1:${port}` }),
  )
  await writeFile(join(folder, 'nginx.conf'), await mainConfiguration(folder, [clients, ...peers].join('\n')))
  const errorLog = join(folder, 'error.log')
  const child = spawn(program, ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', errorLog], { stdio: 'ignore' })
  const gone = once(child, 'exit')
  const errors = () => readFile(errorLog, 'utf8').catch(() => '')
  const stop = async () => {
    child.kill('SIGTERM')
    await gone
  }
  if (!(await isListening(Number(port)))) {
    await stop()
    throw new Error(`nginx did not start:\n${await errors()}`)
  }
  const url = `https://localhost:${port}`
  return { url, certificate: await readFile(certificateFile, 'utf8'), certificateFile, servers, errors, stop }
}

/** The two blocks of the page: for clients, and for what servers send each other. */
function nginxBlocks(page: string): string[] {
  return [...page.matchAll(/^```nginx\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text)
}

/** @throws Error if the page does not contain one of the texts. */
function replaceEach(text: string, replacements: Readonly<Record<string, string>>): string {
  return Object.entries(replacements).reduce((left, [from, to]) => {
    if (!left.includes(from)) throw new Error(`the page has no "${from}" to replace`)
    return left.replaceAll(from, to)
  }, text)
}

/** Takes the place of the package's nginx.conf, with all files inside the folder. */
async function mainConfiguration(folder: string, http: string): Promise<string> {
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  for (const kind of kinds) await mkdir(join(folder, kind))
  return [
    ...(process.getuid?.() === 0 ? ['user root;'] : []),
    'daemon off;',
    'worker_processes 1;',
    `pid ${join(folder, 'nginx.pid')};`,
    `error_log ${join(folder, 'error.log')};`,
    'events { worker_connections 4096; }',
    'http {',
    'access_log off;',
    ...kinds.map((kind) => `${kind}_temp_path ${join(folder, kind)};`),
    http,
    '}',
  ].join('\n')
}

async function createCertificate(folder: string): Promise<string> {
  const file = join(folder, 'certificate.pem')
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const files = ['-keyout', join(folder, 'key.pem'), '-out', file]
  await promisify(execFile)('openssl', ['req', '-x509', ...curve, ...files, ...names])
  return file
}

async function isListening(port: number): Promise<boolean> {
  const deadlineMs = performance.now() + READY_MS
  while (performance.now() < deadlineMs) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false))
      socket.unref()
      socket.once('connect', () => socket.destroy())
    })
    if (isOpen) return true
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return false
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
