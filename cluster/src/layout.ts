/** The ports of a machine. On machines of their own they are the usual ones of each program. */
interface Ports {
  readonly etcdClients: number
  readonly etcdPeers: number
  readonly postgres: number
  readonly patroni: number
  /** HAProxy: the database that takes writes. */
  readonly primary: number
  /** HAProxy: a database that only serves reads. */
  readonly replica: number
  /** HAProxy: the server of this machine, for the proxies and servers of the others. */
  readonly peer: number
  /** HAProxy: clients, by TLS. */
  readonly clients: number
  readonly server: number
  readonly metrics: number
}

export interface Machine {
  readonly name: string
  /** IPv4. The other machines reach it there. */
  readonly address: string
}

/** Folders of one machine. */
interface Paths {
  readonly etcd: string
  readonly postgres: string
  /** At most 90 characters: the name of a socket has to fit. */
  readonly sockets: string
  readonly patroni: string
  readonly binaries: string
  /** Certificate and key that clients see, in one file. */
  readonly publicCertificate: string
  /** The same for what the machines send each other. */
  readonly certificate: string
  /** The authority of that certificate: the other machines accept no other. */
  readonly authority: string
}

/** Everything that the configuration of a cluster is made from. */
export interface Layout {
  readonly name: string
  readonly machines: readonly Machine[]
  readonly ports: Ports
  /** The network that all machines are in, such as `10.0.0.0/24`. */
  readonly network: string
  /** The address of a machine's server, which only its HAProxy reaches. */
  serverHost(machine: Machine): string
  paths(machine: Machine): Paths
}

const PORTS: Ports = {
  etcdClients: 2379,
  etcdPeers: 2380,
  postgres: 5432,
  patroni: 8008,
  primary: 5000,
  replica: 5001,
  peer: 8443,
  clients: 443,
  server: 3000,
  metrics: 9464,
}

/** Away from the ports of what may run on this machine anyway, and from 1024, so that no program needs rights. */
const LOCAL_PORTS: Ports = {
  etcdClients: 22379,
  etcdPeers: 22380,
  postgres: 25432,
  patroni: 28008,
  primary: 25000,
  replica: 25001,
  peer: 28443,
  clients: 20443,
  server: 23000,
  metrics: 29464,
}

/** Real machines, with the folders that Debian's packages use. */
export function realLayout(machines: readonly Machine[]): Layout {
  const [first] = machines
  if (!first) throw new Error('a cluster has at least one machine')
  return {
    name: 'clearwell',
    machines,
    ports: PORTS,
    network: networkOf(machines),
    serverHost: () => '127.0.0.1',
    paths: () => ({
      etcd: '/var/lib/etcd/clearwell',
      postgres: '/var/lib/postgresql/15/clearwell',
      sockets: '/var/run/postgresql',
      patroni: '/var/lib/postgresql',
      binaries: '/usr/lib/postgresql/15/bin',
      publicCertificate: '/etc/clearwell/tls/app.example.pem',
      certificate: '/etc/clearwell/tls/cluster.pem',
      authority: '/etc/clearwell/tls/cluster-ca.pem',
    }),
  }
}

/**
 * Three machines that are folders of this one.
 *
 * @param prefix the first three numbers of their addresses, such as `127.77.0`.
 */
export function localLayout(options: {
  readonly prefix: string
  readonly folder: string
  readonly binaries: string
  readonly serverHost: (machine: Machine) => string
}): Layout {
  const { prefix, folder, binaries, serverHost } = options
  const machines = [1, 2, 3].map((number) => ({ name: `machine-${number}`, address: `${prefix}.${10 + number}` }))
  return {
    name: 'clearwell',
    machines,
    ports: LOCAL_PORTS,
    network: networkOf(machines),
    serverHost,
    paths: ({ name }) => ({
      etcd: `${folder}/${name}/etcd`,
      postgres: `${folder}/${name}/disk/postgres`,
      sockets: `${folder}/${name}`,
      patroni: `${folder}/${name}`,
      binaries,
      publicCertificate: `${folder}/certificate-and-key.pem`,
      certificate: `${folder}/certificate-and-key.pem`,
      authority: `${folder}/certificate.pem`,
    }),
  }
}

/** The /24 network that holds every machine, or each address alone where they are in several. */
function networkOf(machines: readonly Machine[]): string {
  const networks = new Set(machines.map(({ address }) => `${address.split('.').slice(0, 3).join('.')}.0/24`))
  const [only] = networks
  if (networks.size !== 1 || only === undefined)
    throw new Error('the machines must share a /24 network, such as 10.0.0.0/24')
  return only
}

/** Parses `name=address,name=address`. @throws Error that names the fault. */
export function parseMachines(text: string): Machine[] {
  const machines = text.split(',').map((part) => {
    const match = /^([a-z][a-z0-9-]{0,30})=(\d{1,3}(?:\.\d{1,3}){3})$/.exec(part.trim())
    if (!match) throw new Error(`"${part.trim()}" is not name=address, such as machine-1=10.0.0.11`)
    return { name: match[1] ?? '', address: match[2] ?? '' }
  })
  for (const key of ['name', 'address'] as const) {
    if (new Set(machines.map((each) => each[key])).size !== machines.length)
      throw new Error(`two machines have the same ${key}`)
  }
  if (machines.length < 3) throw new Error('a cluster that outlives a machine has three or more')
  return machines
}
