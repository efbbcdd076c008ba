/** The commands that this server is carrying out now, by owner and idempotency key. */
export interface RunningCommands {
  /** Runs a command and remembers its key meanwhile. */
  during<Result>(owner: string, key: string, run: () => Promise<Result>): Promise<Result>
  has(owner: string, key: string): boolean
}

export function createRunningCommands(): RunningCommands {
  /** How many requests with a key are in progress: a client may send it again before the first has its response. */
  const counts = new Map<string, number>()
  const nameOf = (owner: string, key: string) => `${owner} ${key}`

  return {
    async during(owner, key, run) {
      const name = nameOf(owner, key)
      counts.set(name, (counts.get(name) ?? 0) + 1)
      try {
        return await run()
      } finally {
        const left = (counts.get(name) ?? 1) - 1
        if (left === 0) counts.delete(name)
        else counts.set(name, left)
      }
    },
    has: (owner, key) => counts.has(nameOf(owner, key)),
  }
}
