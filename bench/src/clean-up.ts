const ends: (() => Promise<unknown>)[] = []

/** Remembers how to end what was just started: at the end, or when somebody ends the bench before. */
export function endLater(end: () => Promise<unknown>): void {
  ends.push(end)
}

/** Ends everything that was started, the last first. */
export async function cleanUp(): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end().catch((error) => console.error(error))
}
