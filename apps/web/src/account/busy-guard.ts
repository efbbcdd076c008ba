let holders = 0

/** Keeps the page from being reloaded by itself until the work is done: while something is signed, sent or paid. */
export async function holdPage<T>(work: Promise<T>): Promise<T> {
  holders += 1
  try {
    return await work
  } finally {
    holders -= 1
  }
}

/** Whether something is being signed, sent or paid. */
export function isPageHeld(): boolean {
  return holders > 0
}
