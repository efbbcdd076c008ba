/** The commands that this server is carrying out now, by owner and idempotency key. */
export interface RunningCommands {
  /** Runs a command and remembers its key meanwhile. */
  during<Result>(owner: string, key: string, run: () => Promise<Result>): Promise<Result>
  has(owner: string, key: string): boolean
}

export function createRunningCommands(): RunningCommands {
  /** The owner of each request in progress, by key: a client may send it again before the first has its response. */
  const owners = new Map<string, readonly string[]>()

  function forget(owner: string, key: string): void {
    const before = owners.get(key) ?? []
    const left = before.toSpliced(before.indexOf(owner), 1)
    if (left.length === 0) owners.delete(key)
    else owners.set(key, left)
  }

  return {
    async during(owner, key, run) {
      owners.set(key, [...(owners.get(key) ?? []), owner])
      try {
        return await run()
      } finally {
        forget(owner, key)
      }
    },
    has: (owner, key) => owners.get(key)?.includes(owner) ?? false,
  }
}
