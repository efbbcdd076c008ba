import { useSyncExternalStore } from 'react'
import type { Store } from './store.ts'

/**
 * Values that this app keeps in the browser. Each is described by one call of `stored`, from which
 * docs/reference/stored-values.md is generated. Without storage, or with a full one, a value lasts as long as the page.
 */
export type Description<Value> = KeyOf & {
  /** `device`: all tabs share it, now and on later visits. `tab`: gone with the tab. */
  readonly scope: 'device' | 'tab'
  /** Returns a value that was read, or `undefined` if it is not one: storage may hold anything. */
  readonly schema: (value: unknown) => Value | undefined
  /** The value belongs to the address that stored it, and is hidden from every other one. */
  readonly owner?: true
  /** A list: each item has an id and its own key, so that no tab overwrites the item of another. The most items. */
  readonly keep?: number
  /** The value is text and is stored as it is, not as JSON. */
  readonly format?: 'text'
}

type KeyOf =
  | { readonly key: `clearwell.${string}`; readonly clearsOnDisconnect?: undefined }
  /** Removed when the wallet disconnects or its address changes, which `forgetUntilDisconnect` does by this prefix. */
  | { readonly key: `clearwell.until-disconnect.${string}`; readonly clearsOnDisconnect: true }

/** One value; `undefined` where none is stored. Setting `undefined` removes it. */
export type StoredValue<Value> = Store<Value | undefined>

/** Several values by their ids. */
export interface StoredItems<Value> {
  /** As stored now, also by another tab: newest first. The same array until one of them changes. */
  all(): readonly Value[]
  get(id: string): Value | undefined
  /** Adds an item or replaces it in its place. Beyond `keep`, the oldest item goes. */
  put(id: string, value: Value): void
  remove(id: string): void
  subscribe(listener: () => void): () => void
}

/** The same for one address, in any case of its letters. No value can be stored for an empty one. */
export interface OfOwner<Values> {
  of(owner: string): Values
}

/** An item in storage. `at` orders the items by the time at which they were added. */
interface Envelope {
  readonly owner?: string
  readonly at?: number
  readonly value: unknown
}

const UNTIL_DISCONNECT = 'clearwell.until-disconnect.'

/**
 * Describes a stored value. Reading never throws, and returns what the storage holds now.
 *
 * @example
 * const choice = stored({ key: 'clearwell.chart', scope: 'device', schema: readChoice })
 * choice.set({ kind: 'pool' })
 * const shown = useStore(choice)
 */
export function stored<Value>(
  description: Description<Value> & { keep: number; owner: true },
): OfOwner<StoredItems<Value>>
export function stored<Value>(description: Description<Value> & { keep: number }): StoredItems<Value>
export function stored<Value>(description: Description<Value> & { owner: true }): OfOwner<StoredValue<Value>>
export function stored<Value>(description: Description<Value>): StoredValue<Value>
export function stored<Value>(description: Description<Value>): unknown {
  const place = openPlace(description)
  const open = (owner?: string) =>
    description.keep === undefined ? openValue(description, place, owner) : openItems(description, place, owner)
  return description.owner ? perOwner(open) : open()
}

/** The stored items now, and a render whenever one changes. */
export function useItems<Value>({ subscribe, all }: Pick<StoredItems<Value>, 'subscribe' | 'all'>): readonly Value[] {
  return useSyncExternalStore(subscribe, all, all)
}

/** The schema of any text. */
export function anyText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Removes what must not outlive a connection of the wallet, also the values of code that is not loaded. */
export function forgetUntilDisconnect(): void {
  for (const area of ['device', 'tab'] as const) {
    for (const key of keysIn(area)) if (key.startsWith(UNTIL_DISCONNECT)) removeFrom(area, key)
  }
  for (const forget of forgetting) forget()
}

/** Empties the places in memory of the loaded values that end with the connection. */
const forgetting = new Set<() => void>()

/** A key of the storage and the keys below it. */
interface Place {
  readonly key: string
  keys(): string[]
  read(key: string): string | null
  /** `null` removes the text. */
  write(key: string, text: string | null): void
  subscribe(listener: () => void): () => void
}

function openPlace({ key: ownKey, scope, clearsOnDisconnect }: Description<unknown>): Place {
  const listeners = new Set<() => void>()
  /** The texts that the storage did not take. */
  const unstored = new Map<string, string>()
  const tellAll = () => {
    for (const listener of [...listeners]) listener()
  }
  const isOwn = (key: string) => key === ownKey || key.startsWith(`${ownKey}.`)
  if (scope === 'device' && typeof window !== 'undefined')
    window.addEventListener('storage', ({ key }) => {
      if (key !== null && !isOwn(key)) return
      if (key === null) unstored.clear()
      else unstored.delete(key)
      tellAll()
    })
  if (clearsOnDisconnect)
    forgetting.add(() => {
      unstored.clear()
      tellAll()
    })
  return {
    key: ownKey,
    keys: () => [...new Set([...keysIn(scope).filter(isOwn), ...unstored.keys()])],
    read: (key) => unstored.get(key) ?? readFrom(scope, key),
    write(key, text) {
      unstored.delete(key)
      if (text === null) removeFrom(scope, key)
      else if (!writeTo(scope, key, text)) unstored.set(key, text)
      tellAll()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** An address in lower case has its own view of a place, made once, so that its functions stay the same. */
function perOwner<Values>(open: (owner: string) => Values): OfOwner<Values> {
  const known = new Map<string, Values>()
  return {
    of(address) {
      const owner = address.toLowerCase()
      const opened = known.get(owner) ?? open(owner)
      known.set(owner, opened)
      return opened
    },
  }
}

function openValue<Value>(
  { schema, format }: Description<Value>,
  place: Place,
  owner: string | undefined,
): StoredValue<Value> {
  const get = cached(
    () => place.read(place.key),
    (text) => {
      if (text === null) return undefined
      if (format === 'text') return accept(schema, text)
      if (owner === undefined) return accept(schema, parse(text))
      return unwrap(text, { schema, owner })
    },
  )
  return {
    get,
    initial: () => undefined,
    set(value) {
      if (owner === '') return
      const wrapped = owner === undefined ? value : { owner, value }
      place.write(place.key, value === undefined ? null : format === 'text' ? String(value) : JSON.stringify(wrapped))
    },
    subscribe: place.subscribe,
  }
}

function openItems<Value>(
  { schema, keep = 0 }: Description<Value>,
  place: Place,
  owner: string | undefined,
): StoredItems<Value> {
  const keyOf = (id: string) => `${place.key}.${id}`
  const entries = () => place.keys().map((key) => [key, place.read(key) ?? ''] as const)
  const newestFirst = () =>
    entries()
      .map(([key, text]) => ({ key, text, ...envelopeIn(text) }))
      .toSorted((one, other) => (other.at ?? 0) - (one.at ?? 0))
  const all = cached(
    () => JSON.stringify(entries()),
    (): readonly Value[] =>
      newestFirst().flatMap(({ text }) => {
        const value = unwrap(text, { schema, owner })
        return value === undefined ? [] : [value]
      }),
  )
  return {
    all,
    get(id) {
      const text = place.read(keyOf(id))
      return text === null ? undefined : unwrap(text, { schema, owner })
    },
    put(id, value) {
      if (owner === '') return
      const before = newestFirst()
      const known = before.find(({ key }) => key === keyOf(id))
      // Later than every other, also where the clock of the device went back.
      const at = known?.at ?? Math.max(Date.now(), (before[0]?.at ?? 0) + 1)
      place.write(keyOf(id), JSON.stringify({ ...(owner === undefined ? {} : { owner }), at, value }))
      const own = before.filter((each) => each.owner === owner)
      if (!known) for (const { key } of own.slice(keep - 1)) place.write(key, null)
    },
    remove: (id) => place.write(keyOf(id), null),
    subscribe: place.subscribe,
  }
}

/** Makes a value again only after its text has changed, so that readers get the same object until then. */
function cached<Value>(read: () => string | null, make: (text: string | null) => Value): () => Value {
  let last: { readonly text: string | null; readonly value: Value } | undefined
  return () => {
    const text = read()
    if (last?.text !== text) last = { text, value: make(text) }
    return last.value
  }
}

/** The value of an envelope, if it is of this owner and is one. */
function unwrap<Value>(
  text: string,
  { schema, owner }: { schema: Description<Value>['schema']; owner: string | undefined },
): Value | undefined {
  const envelope = envelopeIn(text)
  return envelope && owner !== '' && envelope.owner === owner ? accept(schema, envelope.value) : undefined
}

function envelopeIn(text: string): Envelope | undefined {
  const envelope = parse(text)
  return typeof envelope === 'object' && envelope !== null && 'value' in envelope ? (envelope as Envelope) : undefined
}

/** A schema may trip over a value of another form. */
function accept<Value>(schema: Description<Value>['schema'], value: unknown): Value | undefined {
  try {
    return schema(value)
  } catch {
    return undefined
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

// A browser may forbid storage: naming it then throws.
const storageOf = (scope: 'device' | 'tab'): Storage => (scope === 'device' ? localStorage : sessionStorage)

function keysIn(scope: 'device' | 'tab'): string[] {
  try {
    const storage = storageOf(scope)
    return Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '')
  } catch {
    return []
  }
}

function readFrom(scope: 'device' | 'tab', key: string): string | null {
  try {
    return storageOf(scope).getItem(key)
  } catch {
    return null
  }
}

/** Returns whether the storage took it. A full one keeps the older text, which is removed, since it is out of date. */
function writeTo(scope: 'device' | 'tab', key: string, text: string): boolean {
  try {
    storageOf(scope).setItem(key, text)
    return true
  } catch {
    removeFrom(scope, key)
    return false
  }
}

function removeFrom(scope: 'device' | 'tab', key: string): void {
  try {
    storageOf(scope).removeItem(key)
  } catch {}
}
