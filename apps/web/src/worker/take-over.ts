/** The message of a page of the newest build to the worker that waits to take over. */
interface TakeOver {
  readonly type: 'take over'
  readonly build: string
}

export function takeOver(build: string): TakeOver {
  return { type: 'take over', build }
}

/** Returns whether the message comes from a page of this build: a page of another build needs the files of the worker before. */
export function isTakeOver(data: unknown, build: string): boolean {
  const { type, build: sent } = (data ?? {}) as Partial<TakeOver>
  return type === 'take over' && sent === build
}
