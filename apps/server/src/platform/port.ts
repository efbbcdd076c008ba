/**
 * Ports: how features meet without importing each other. A port is declared on a lower floor. One feature provides it, and
 * others use it.
 *
 * @example
 * // domain/swaps.ts
 * export const swaps = definePort<Swaps>('swaps')
 * // swap.feature.ts
 * open: () => ({ handlers, provides: [swaps.by({ quote, sell })] })
 * // tips.feature.ts
 * open({ use }) { const swap = use(swaps); … } // at each call: swap().sell(…)
 */
export interface Port<Service> {
  readonly name: string
  readonly takes: 'one'
  /** Makes an element of `provides`. */
  by(service: Service): Provision
}

/** A port that any number of features provide. */
export interface ListPort<Service> {
  readonly name: string
  readonly takes: 'many'
  by(service: Service): Provision
}

/** A service, and the port that it is for. */
export interface Provision {
  readonly port: AnyPort
  readonly service: unknown
  /** A port takes each key once; `undefined`: as often as features provide it. */
  readonly key: string | undefined
}

type AnyPort = { readonly name: string; readonly takes: 'one' | 'many' }

/** Finds the services behind the ports. */
export interface Use {
  /** Returns a function that finds the service when it is called, so the order of the features is free. */
  <Service>(port: Port<Service>): () => Service
  /** Returns the services in the order of the features. The list grows until all features are open. */
  <Service>(port: ListPort<Service>): readonly Service[]
}

/** Declares a port that exactly one feature provides. If something uses it and nothing provides it, the start fails. */
export function definePort<Service>(name: string): Port<Service> {
  const port: Port<Service> = { name, takes: 'one', by: (service) => ({ port, service, key: '' }) }
  return port
}

/**
 * Declares a port that any number of features provide, or none.
 *
 * @param keyOf two services with the same key are a bug. Absent: services need no key.
 */
export function defineListPort<Service>(name: string, keyOf?: (service: Service) => string): ListPort<Service> {
  const port: ListPort<Service> = {
    name,
    takes: 'many',
    by: (service) => ({ port, service, key: keyOf?.(service) }),
  }
  return port
}

/** The services that the open features provide. */
export interface Ports {
  /** @param user who uses the ports, as the error about a missing provider names it: "the feature history". */
  readonly useBy: (user: string) => Use
  readonly provide: (provider: string, provisions: readonly Provision[]) => void
  /** Ends the start if a port that something uses has no provider. */
  readonly refuseMissing: () => void
}

export function createPorts(): Ports {
  const services = new Map<AnyPort, unknown[]>()
  const keys = new Map<AnyPort, Set<string>>()
  const users = new Map<AnyPort, string>()

  function listOf(port: AnyPort): unknown[] {
    const list = services.get(port) ?? []
    services.set(port, list)
    return list
  }
  function missing(port: AnyPort, user: string): Error {
    return new Error(`${user} uses the port "${port.name}", which no open feature provides`)
  }

  return {
    useBy(user) {
      function use(port: AnyPort) {
        const provided = listOf(port)
        if (port.takes === 'many') return provided
        users.set(port, user)
        return () => {
          if (provided.length === 0) throw missing(port, user)
          return provided[0]
        }
      }
      return use as Use
    },
    provide(provider, provisions) {
      for (const { port, service, key } of provisions) {
        const taken = keys.get(port) ?? new Set()
        if (key !== undefined && taken.has(key))
          throw new Error(`${provider} provides the port "${[port.name, key].join(' ').trim()}" a second time`)
        if (key !== undefined) keys.set(port, taken.add(key))
        listOf(port).push(service)
      }
    },
    refuseMissing() {
      for (const [port, user] of users) if (listOf(port).length === 0) throw missing(port, user)
    },
  }
}
